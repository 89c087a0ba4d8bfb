// The board: a position, and its drawing. Positions were computed when the page was written, as the
// cells that each move changed; see replay.py.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const board = data.board;
const NO_POINT = "-";

function drawing(name, attributes = {}, content = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (content !== "") made.textContent = content;
  return made;
}

// The signs of all cells after a move, and what that move changed: [cell, before, after].
function positionAfter(game, move) {
  const cells = board.start.split("");
  let latest = [];
  game.changes.split(" ").slice(0, move).forEach((word) => {
    latest = [];
    for (let from = 0; from < word.length; from += 3) {
      const cell = parseInt(word.slice(from, from + 2), 36);
      latest.push([cell, cells[cell], word[from + 2]]);
      cells[cell] = word[from + 2];
    }
  });
  return { cells, latest: move ? latest : [] };
}

const UNIT = 40, BAND = 8, STONE = 17.8, CHAIN = "#45a557";
// The larger the board, the larger the letters beside it, which are to be read on a phone.
const LETTER = board ? Math.min(26, Math.max(16, 1.5 * Math.max(board.width, board.height))) : 0;
const EDGE = BAND + 1.6 * LETTER;

const place = (cell) => [
  EDGE + (cell % board.width + 0.5) * UNIT,
  EDGE + (board.height - 0.5 - Math.floor(cell / board.width)) * UNIT,
];
const vertex = (cell) => board.columns[cell % board.width] + board.rows[Math.floor(cell / board.width)];

const STONES = { 1: "black", 2: "white", 3: "black king", 4: "white king" };

function draw(game, move) {
  const { cells, latest } = positionAfter(game, move);
  const width = board.width * UNIT + 2 * EDGE, height = board.height * UNIT + 2 * EDGE;
  const image = drawing("svg", {
    viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `The board after move ${move}`, "data-move": move,
  });
  image.append(drawing("rect", { width, height, rx: 10, fill: "#b9854a" }));
  image.append(drawing("rect", {
    x: EDGE - BAND, y: EDGE - BAND, width: width - 2 * (EDGE - BAND),
    height: height - 2 * (EDGE - BAND), fill: "#ecc689",
  }));
  if (board.sides) drawSides(image, width, height, game.swaps.filter((at) => at <= move).length % 2);
  image.append(drawing("path", { d: gridPath(), stroke: "#8b6532", "stroke-width": 1.4, fill: "none" }));
  drawLetters(image, width, height);
  const chain = new Set(move === game.moves.length ? game.chain : []);
  drawChain(image, chain);
  cells.forEach((sign, cell) => drawCell(image, sign, cell, chain.has(cell)));
  drawMarks(image, latest);
  return image;
}

function drawSides(image, width, height, swapped) {
  const out = EDGE - BAND, right = width - out, bottom = height - out;
  const dark = "#1d1b19", light = "#fbf8f1";
  const bands = [
    [swapped, `${out},${out} ${right},${out} ${right - BAND},${EDGE} ${EDGE},${EDGE}`],
    [swapped, `${out},${bottom} ${right},${bottom} ${right - BAND},${bottom - BAND} ${EDGE},${bottom - BAND}`],
    [!swapped, `${out},${out} ${EDGE},${EDGE} ${EDGE},${bottom - BAND} ${out},${bottom}`],
    [!swapped, `${right},${out} ${right - BAND},${EDGE} ${right - BAND},${bottom - BAND} ${right},${bottom}`],
  ];
  for (const [isWhite, points] of bands) {
    image.append(drawing("polygon", { points, fill: isWhite ? light : dark, class: isWhite ? "white-side" : "black-side" }));
  }
}

function gridPath() {
  let path = "";
  for (let cell = 0; cell < board.start.length; cell++) {
    if (board.start[cell] === NO_POINT) continue;
    const [x, y] = place(cell);
    if ((cell + 1) % board.width && board.start[cell + 1] !== NO_POINT) path += `M${x} ${y}h${UNIT}`;
    const above = cell + board.width;
    if (above < board.start.length && board.start[above] !== NO_POINT) path += `M${x} ${y}v${-UNIT}`;
  }
  return path;
}

function drawLetters(image, width, height) {
  const middle = (EDGE - BAND) / 2;
  const write = (x, y, content) => image.append(drawing("text", {
    x, y: y + 0.36 * LETTER, "text-anchor": "middle", "font-size": LETTER, "font-weight": 600,
    "font-family": "Helvetica, Arial, sans-serif", fill: "#3d2a12",
  }, content));
  for (let column = 0; column < board.width; column++) {
    const x = EDGE + (column + 0.5) * UNIT;
    for (const y of [middle, height - middle]) write(x, y, board.columns[column]);
  }
  for (let row = 0; row < board.height; row++) {
    const y = height - EDGE - (row + 0.5) * UNIT;
    for (const x of [middle, width - middle]) write(x, y, board.rows[row]);
  }
}

function drawChain(image, cells) {
  let path = "";
  for (const cell of cells) {
    const [x, y] = place(cell);
    if ((cell + 1) % board.width && cells.has(cell + 1)) path += `M${x} ${y}h${UNIT}`;
    if (cells.has(cell + board.width)) path += `M${x} ${y}v${-UNIT}`;
  }
  if (path) image.append(drawing("path", {
    class: "chain", d: path, stroke: CHAIN, "stroke-width": 12, fill: "none",
  }));
}

function drawCell(image, sign, cell, isWinning) {
  const [cx, cy] = place(cell);
  if (sign === "5") {
    const reach = 9;
    image.append(drawing("path", {
      d: `M${cx - reach} ${cy - reach}l${2 * reach} ${2 * reach}m0 ${-2 * reach}l${-2 * reach} ${2 * reach}`,
      class: "banned", "data-vertex": vertex(cell), stroke: "#a03020", "stroke-width": 3, fill: "none",
    }));
  }
  if (!(sign in STONES)) return;
  const dark = sign === "1" || sign === "3";
  image.append(drawing("circle", {
    cx, cy, r: STONE, class: `stone ${STONES[sign]}`, "data-vertex": vertex(cell),
    fill: dark ? "#22201e" : "#f8f5ee", stroke: isWinning ? CHAIN : dark ? "#000" : "#8d877b",
    "stroke-width": isWinning ? 3.2 : 1,
  }));
  if (sign === "3" || sign === "4") {
    image.append(drawing("path", {
      class: "crown", d: `M${cx - 9} ${cy + 7}l-2 -13l6 5l5 -8l5 8l6 -5l-2 13z`,
      fill: "#e0b02c", stroke: "#6b4e08", "stroke-width": 1,
    }));
  }
}

// A ring on what the move placed, a spot of the old color on what it turned, a faint ring on what
// it took away.
function drawMarks(image, latest) {
  const isStone = (sign) => sign in STONES;
  for (const [cell, before, after] of latest) {
    const [cx, cy] = place(cell);
    if (!isStone(before) && isStone(after)) {
      image.append(drawing("circle", { class: "last", cx, cy, r: 9, fill: "none", stroke: "#e8392e", "stroke-width": 3.4 }));
    } else if (isStone(before) && isStone(after)) {
      const dark = before === "1" || before === "3";
      image.append(drawing("circle", { class: "turned", cx, cy, r: 6.4, fill: dark ? "#22201e" : "#f8f5ee" }));
    } else if (isStone(before)) {
      image.append(drawing("circle", {
        class: "gone", cx, cy, r: STONE - 3, fill: "none", stroke: "#3d2a12", "stroke-width": 1.6, "stroke-dasharray": "5 4",
      }));
    }
  }
}

