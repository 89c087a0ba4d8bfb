// Reads SGF files by a library of npm: `node sgf_readers.cjs NAME FILE...`, as sgf_readers.py does.

const fs = require("fs");

const SIGNS = { "-1": "O", 0: ".", 1: "X" };

/** The point of a value such as `cd`; null for a pass. */
function point(value) {
  return value ? [value.charCodeAt(0) - 97, value.charCodeAt(1) - 97] : null;
}

/** The columns and rows of a file. */
function sizeOf(text) {
  const [width, height = width] = /SZ\[([0-9:]+)\]/.exec(text)[1].split(":").map(Number);
  return [width, height];
}

/** Answers everything with itself, for a library that asks its page as it loads. */
const page = new Proxy(function () {}, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => "" : page),
  set: () => true,
  apply: () => page,
  construct: () => page,
});

const readers = {
  sabaki(text) {
    const sgf = require("@sabaki/sgf");
    const Board = require("@sabaki/go-board");
    const roots = sgf.parse(text);
    let board = Board.fromDimensions(...sizeOf(text));
    for (let node = roots[0]; node; node = node.children[0]) {
      for (const [name, sign] of [["B", 1], ["W", -1]]) {
        const at = point((node.data[name] || [])[0]);
        if (at) board = board.makeMove(sign, at);
      }
      for (const [name, sign] of [["AB", 1], ["AW", -1], ["AE", 0]]) {
        for (const value of node.data[name] || []) board.set(point(value), sign);
      }
    }
    const rows = board.signMap.map((row) => row.map((sign) => SIGNS[sign]).join(""));
    return { saved: sgf.stringify(roots), board: rows };
  },
  goban(text) {
    const named = { document: page, CSSStyleSheet: page, Image: page, HTMLElement: class {} };
    Object.assign(globalThis, { self: globalThis, window: globalThis, ...named });
    Object.assign(globalThis, { addEventListener() {}, removeEventListener() {} });
    const { GobanEngine } = require("goban");
    const [width, height] = sizeOf(text); // it ignores SZ
    const game = new GobanEngine({ width, height, original_sgf: text });
    return { board: game.board.map((row) => row.map((stone) => ".XO"[stone]).join("")) };
  },
  wgo(text) {
    const { KifuNode } = require("wgo");
    return { saved: KifuNode.fromSGF(text).toSGF() };
  },
  smartgame(text) {
    const smartgame = require("smartgame");
    return { saved: smartgame.generate(smartgame.parse(text)) };
  },
  jssgf(text) {
    const jssgf = require("jssgf");
    return { saved: jssgf.stringify(jssgf.parse(text)) };
  },
  sgfgrove(text) {
    const sgfgrove = require("sgfgrove");
    return { saved: sgfgrove.stringify(sgfgrove.parse(text)) };
  },
  sgfjs(text) {
    require("sgfjs").parse(text);
    return {};
  },
  "sgf-parser"(text) {
    require("sgf-parser").parse(text);
    return {};
  },
  godash(text) {
    require("godash").sgfToJS(text);
    return {};
  },
};

/** What a reader makes of a file. */
function read(name, path) {
  try {
    return readers[name](fs.readFileSync(path, "utf8"));
  } catch (error) {
    return { error: `${error.name}: ${error.message}` };
  }
}

console.log = console.error; // goban prints
const [name, ...paths] = process.argv.slice(2);
const found = Object.fromEntries(paths.map((path) => [path, read(name, path)]));
fs.writeSync(1, JSON.stringify(found));
