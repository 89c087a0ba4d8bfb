// All strings of the page. Sentences about a position come from the server.

/** @typedef {import("./messages.js").TreeNode} TreeNode */
/** @typedef {import("./messages.js").WorstMove} WorstMove */
/** @typedef {import("./messages.js").GameSummary} GameSummary */

/** @type {{ [color: string]: string }} */
const COLORS = { black: "Black", white: "White" };

/** @type {{ [mark: string]: string }} */
const MARKS = { inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder" };

/** As in chess. @type {{ [mark: string]: string }} */
const SYMBOLS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** @type {{ [key: string]: string }} */
const KEYS = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  " ": "Space",
  Escape: "Esc",
};

/** A key as on the keyboard. @param {string} key */
const keyName = (key) => KEYS[key] ?? (key.length === 1 ? key.toUpperCase() : key);

/** @type {{ [level: string]: string }} */
const LEVELS = { warning: "Note:", error: "Error:" };

/** @type {{ [cell: number]: string }} */
const CELLS = {
  0: "Empty",
  1: COLORS.black,
  2: COLORS.white,
  3: "Black king",
  4: "White king",
  5: "Banned",
  [-1]: "No point",
};

const size = (/** @type {number} */ width, /** @type {number} */ height) => `${width}×${height}`;
/** A reason of the server as a sentence. @param {string} text */
const sentence = (text) =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
const wholePercent = (/** @type {number} */ share) => `${Math.round(100 * share)}%`;
/** "black resigns" without its color. @param {string | null} color @param {string} move */
const withoutColor = (color, move) =>
  color && move.startsWith(`${color} `) ? move.slice(color.length + 1) : move;
const counted = (/** @type {number} */ count, /** @type {string} */ one, more = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : more}`;

/** @param {GameSummary} game @param {"black" | "white"} color */
const nameIn = (game, color) => game[color] || (game.human === color ? "You" : COLORS[color]);

/** @param {GameSummary} game */
const bothNames = (game) => `${nameIn(game, "black")} – ${nameIn(game, "white")}`;

const LONGEST = 24; // characters of a name in a sentence

/** A name short enough for a sentence. @param {string} name */
const shortName = (name) => {
  const characters = [...name];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : name;
};

/**
 * What a swap would do. stone, becomes: the colors of the stone. taker, other: names, "you" for the
 * visitor.
 * @typedef {{ stone: string, becomes: string, point: string, taker: string, other: string,
 *   hasSides: boolean }} Swap
 */
const YOU = "you";
const joins = (/** @type {string} */ name) => (name === YOU ? `${name} join` : `${name} joins`);

/** The result, for the only human if there is one. @param {GameSummary} game */
function resultIn({ winner, human, result }) {
  if (!winner) return "unfinished";
  if (!human) return result.split(":")[0];
  return winner === "draw" ? "draw" : winner === human ? "won" : "lost";
}

/** The date of a game, with the time of a last move on that day. @param {GameSummary} game */
function dateOf({ date, played }) {
  const end = new Date(1000 * played).toLocaleString("sv"); // 2026-11-28 08:11:05
  return end.slice(0, 10) === date ? end.slice(0, 16) : date;
}

// A fifth of the levels each.
const SKILLS = ["beginner", "improver", "intermediate", "advanced", "expert"];

// Names with several uses.
const START = "Start";
const OFF = "Off";
const STOP = "Stop";
const OVERLAY = "Overlay";
const GAME = "Game";
const BOARD = "Board";
const MOVES = "Moves";
const REVIEW = "Review";
const SOLVE = "Solve";
const LOAD = "Load";
const SAVE = "Save";
const LIBRARY = "My games";
const UNDO = "Undo";
const NEXT = "Next";
const ACTIONS = {
  new: "New game",
  undo: UNDO,
  hint: "Hint",
  swap: "Swap colors",
  pass: "Pass",
  resign: "Resign",
  rematch: "Rematch",
  think: "Engine move",
  pause: "Pause",
  resume: "Resume from here",
  cancel: "Cancel this move",
  players: "Players",
  back: "Previous move",
  on: "Next move",
  first: START,
  last: "Last move",
  previous: "Previous variation",
  next: "Next variation",
  autoplay: "Autoplay",
  captures: "Replay captures",
  board: "Focus the board",
  analyze: "Toggle analysis",
  draw: OVERLAY,
  "to-review": "Review the game",
  setup: "Set up",
  invite: "Invite",
  library: LIBRARY,
  load: LOAD,
  save: SAVE,
  rules: "Rules",
  puzzles: "Puzzles",
  settings: "Settings",
  console: "GTP console",
  shortcuts: "Shortcuts",
};

const SIDES = { upright: "top and bottom", level: "left and right" };

export const STRINGS = {
  cancel: "Cancel",
  close: "Close",
  dismiss: "Dismiss",
  moreNotices: (/** @type {number} */ count) => `${count} more`,
  menu: "Menu",
  colors: COLORS,
  keyName,
  actions: ACTIONS,
  levels: LEVELS,
  cells: CELLS,
  sentence,
  size,
  title: (/** @type {string} */ game, /** @type {number} */ width, /** @type {number} */ height) =>
    `${game} ${size(width, height)}`,

  connection: {
    connecting: "Connecting…",
    open: "",
    lost: "Connection lost. Reconnecting… Your game is saved on the server.",
    ended: "This page is disconnected.",
    reload: "Reload",
    unsaved: "The game is not saved: the disk is full or failing.",
    never: (/** @type {string} */ address) =>
      "Cannot connect to the server. If there is a proxy, it has to forward WebSockets, and the " +
      `board has to be started with --origin ${address}`,
  },

  steps: {
    label: MOVES,
    first: "Start (Home)",
    back: "Previous move (←)",
    on: "Next move (→)",
    last: "Last move (End)",
  },

  tabs: { game: GAME, analysis: "Analysis", review: REVIEW, console: "Console" },

  board: {
    label: "Board. Arrow keys move the cursor, Enter plays.",
    cell: (/** @type {string} */ name, /** @type {number} */ cell) =>
      `${name}, ${CELLS[cell]?.toLowerCase() ?? ""}`,
    last: "last move",
    goal: { black: "Black joins these sides", white: "White joins these sides" },
    refused: {
      notYours: "It is not your turn.",
      teaching: "First choose below the board: take your move back or play on.",
      tried: "First choose below the board.",
      taken: (/** @type {string} */ name) => `${name} is occupied.`,
      cannotMove: (/** @type {string} */ name) => `No legal move from ${name}.`,
    },
  },

  players: {
    you: YOU,
    short: shortName,
    human: (/** @type {string} */ color) => `You (${color})`,
    friend: (/** @type {string} */ color) => `Friend (${color})`,
    visits: (/** @type {number} */ count) => counted(count, "visit"),
    seconds: (/** @type {number} */ seconds) => `${seconds} s per move`,
    elo: (/** @type {number} */ rating) => `about ${rating} Elo`,
    toMove: "to move",
    away: "away",
    age: (/** @type {number} */ seconds) => `updated ${seconds} s ago`,
    thinking: "thinking…",
    won: "won ★",
    sides: { upright: `joins ↕ ${SIDES.upright}`, level: `joins ↔ ${SIDES.level}` },
    adaptive: (/** @type {number} */ level) => `Level ${level}`,
    skill: (/** @type {number} */ share) => SKILLS[Math.floor(SKILLS.length * share)],
    fields: {
      who: (/** @type {string} */ color) => `${color}'s player`,
      human: "Human",
      level: (/** @type {string} */ color) => `${color}'s strength`,
      visits: "Fixed visits…",
      seconds: "Fixed time per move…",
      own: "Engine's default",
      amount: (/** @type {string} */ color) => `${color}'s visits or seconds`,
      name: (/** @type {string} */ color) => `${color}'s name`,
      ownName: "Your name",
    },
  },

  turn: {
    own: "Your turn",
    tapAgain: (/** @type {string} */ point) => `Tap ${point} again to play there.`,
    placeAt: (/** @type {string} */ point) => `Play ${point}`,
    paused: `Paused. “${ACTIONS.resume}” continues the game.`,
    pausedForGuests: "The host has paused the game.",
    ended: (/** @type {string} */ color, /** @type {boolean} */ canResume) =>
      `The game is over. Here it was ${color}'s turn.${
        canResume ? ` “${ACTIONS.resume}” plays on from this position.` : ""
      }`,
    mustCapture: "You must capture: choose one of the marked men.",
    chooseMan: "Choose a man to move.",
    place: (/** @type {string} */ color, /** @type {boolean} */ isUpright) =>
      `Place a ${color.toLowerCase()} stone on any free point. ${color} joins ${
        isUpright ? SIDES.upright : SIDES.level
      }.`,
    join: (/** @type {string} */ color, /** @type {boolean} */ isUpright) =>
      `Join ${
        isUpright ? SIDES.upright : SIDES.level
      } with a chain of ${color.toLowerCase()} stones to win.`,
    swapOffer: (/** @type {Swap} */ { stone, becomes, point, taker, other, hasSides }) =>
      `Play a stone, or swap: the ${stone} stone on ${point} becomes ${becomes}, ` +
      (hasSides
        ? `${joins(taker)} ↕ ${SIDES.upright}, and ${joins(other)} ↔ ${SIDES.level} and `
        : `and ${other} `) +
      `${other === YOU ? "play" : "plays"} next.`,
    placeOnly: (/** @type {string} */ color) =>
      `Place a ${color.toLowerCase()} stone on any free point.`,
    takeBack: "Take back",
    showReply: "Show why",
    showBest: (/** @type {string} */ move) => `Show ${move}`,
    playOn: "Play on",
  },

  verdict: {
    won: "You won!",
    lost: "You lost.",
    draw: "A draw.",
    winner: (/** @type {string} */ name) => `${shortName(name)} won.`,
    rematch: (/** @type {import("../../html/board.js").Color} */ color) =>
      `Rematch as ${COLORS[color]}`,
  },

  settings: {
    title: ACTIONS.settings,
    names: /** @type {{ [name: string]: string }} */ ({
      theme: "Page colors",
      board: "Board style",
      stones: "Stones",
      coordinates: "Coordinates",
      motion: "Animation",
      sound: "Sound",
      notes: "Rule notes",
    }),
    showAgain: "Show all notes again",
    values: /** @type {{ [name: string]: string[] }} */ ({
      theme: ["System", "Light", "Dark"],
      board: ["Wood", "Paper", "Felt", "Slate", "Color-blind safe"],
      stones: ["Shell and slate", "Flat", "Glass"],
      coordinates: ["Shown", "Hidden"],
      motion: ["Normal", "Slow", OFF],
      sound: [OFF, "On"],
      notes: ["Once per rule", OFF],
    }),
  },

  notes: {
    understood: "Got it",
    none: "Turn notes off",
    off: "Rule notes are off. You can turn them on in Settings.",
  },

  graph: {
    caption: "Black's winrate by move",
    describe: (/** @type {number} */ known, /** @type {number | null} */ here) =>
      `Black's winrate over the game, known for ${counted(known, "move")}` +
      (here === null ? "" : `; here ${wholePercent(here)}`),
  },

  watching: {
    pace: "Pace of the game",
    asFast: "No pause between moves",
    seconds: (/** @type {number} */ seconds) => `${seconds} s between moves`,
  },

  autoplay: {
    start: "Replay",
    stop: STOP,
    pace: "Autoplay speed",
    seconds: (/** @type {number} */ seconds) => `${seconds} s`,
  },

  tree: {
    title: MOVES,
    label: "Game tree; arrow keys move between moves",
    describe: (/** @type {number} */ moves) => `Game tree, ${counted(moves, "move")}`,
    node: (
      /** @type {number} */ number,
      /** @type {TreeNode} */ { color, move, black, loss, mark },
    ) => {
      if (!move) return START;
      const words = [`${number}. ${color ? COLORS[color] : ""} ${withoutColor(color, move)}`];
      if (black !== null) words.push(`Black ${wholePercent(black)}`);
      if (mark)
        words.push(`${MARKS[mark] ?? mark}${loss === null ? "" : `, −${wholePercent(loss)}`}`);
      return words.join(" · ");
    },
    list: "Moves of this line",
    item: (/** @type {number} */ number, /** @type {TreeNode} */ { color, move, mark }) =>
      `${number}. ${withoutColor(color, move)}${SYMBOLS[mark] ?? ""}`,
    comment: "Comment",
    removed: "The moves were deleted.",
    unrated: (/** @type {string} */ reason) => `Unrated: ${reason}.`,
    promote: "Promote to main line",
    remove: "Delete from here",
  },

  analysis: {
    live: "Live analysis",
    engine: "Engine",
    draw: OVERLAY,
    drawings: {
      none: "Candidates only",
      ownership: "Ownership",
      priors: "Priors",
      "pinchtp-swap_map": "Swap map",
      "pinchtp-connection": "Winning chances",
    },
    legends: /** @type {{ [drawing: string]: string }} */ ({
      none: "Discs: Black's winrate in % above the visits. The best move has a thick rim.",
      ownership: "Squares: the probable owner of each point, with the confidence in %.",
      priors: "Squares: the network's prior of each move in %, before any search.",
      "pinchtp-swap_map":
        "Squares: Black's winrate in % after this first stone. Above 50, swapping is better.",
      "pinchtp-connection": "Bar: each side's chance to win.",
    }),
    more: "More overlays can be chosen once the engine has started.",
    otherLegend: "Squares: the engine's own colors and numbers.",
    drawing: "Computing overlay…",
    chances: (/** @type {number} */ black, /** @type {number} */ white) =>
      `${COLORS.black} ${wholePercent(black)}, ${COLORS.white} ${wholePercent(white)}`,
    none: "Turn on live analysis to see the engine's candidate moves.",
    barred: "No analysis before the end of a game with a friend.",
    begins: "Starting analysis…",
    over: "Game over: nothing to analyze.",
    paused: "Analysis paused while idle. Click or press a key to resume.",
    summary: (/** @type {number} */ visits, /** @type {number} */ black) =>
      `${counted(visits, "visit")}, Black's winrate ${wholePercent(black)}`,
    columns: ["Move", "Black wins", "Visits", "Principal variation"],
  },

  solver: {
    title: SOLVE,
    start: SOLVE,
    stop: STOP,
    running: "Solving…",
    seconds: "s time limit",
    budget: "Time limit (s)",
    showLine: "Show the line on the board",
  },

  review: {
    title: "Game review",
    start: REVIEW,
    stop: STOP,
    depth: "Depth",
    visits: (/** @type {number} */ visits) => `${counted(visits, "visit")} per move`,
    progress: "Review progress",
    intro: "Analyzes every move and lists the biggest mistakes.",
    worst: "All mistakes",
    forced: "Forced losses",
    legend: "Dots on stones: mistakes. Larger dots are worse mistakes.",
    said: (/** @type {import("./messages.js").Review} */ { done, total, running, worst }) => {
      if (running && done < total) return `${done} of ${total} positions`;
      if (running) return `All ${total} positions reviewed; looking for forced losses…`;
      const mistakes = worst.length ? counted(worst.length, "mistake") : "no mistakes";
      return done < total
        ? `Stopped: ${done} of ${total} positions reviewed, ${mistakes} so far`
        : `${counted(total, "position")} reviewed: ${mistakes}`;
    },
    move: (/** @type {WorstMove} */ { number, color, move, mark }) => {
      const words = `${number}. ${COLORS[color]} ${withoutColor(color, move)}`;
      return mark ? `${words}, ${MARKS[mark] ?? mark}` : words;
    },
    better: (/** @type {WorstMove} */ { best }) => `; better: ${best[0].text}`,
    lost: (/** @type {import("./messages.js").ForcedMove} */ { number, color, move, sentence }) =>
      `${number}. ${COLORS[color]} ${withoutColor(color, move)} ${sentence}`,
  },

  puzzles: {
    title: "Practice: your worst moves",
    leave: "Back to the game",
    next: "Next puzzle",
    pose: (/** @type {import("./messages.js").OpenedPuzzle} */ { color }) =>
      `Puzzle: ${COLORS[color]} to move. Find the only move that wins.`,
    judged: (/** @type {string} */ move, /** @type {boolean} */ isRight) =>
      isRight
        ? `Correct: ${move} wins, and no other move does.`
        : `Wrong: after ${move} the opponent wins. Try again.`,
    proof: (/** @type {import("./messages.js").OpenedPuzzle} */ { line }) =>
      `Only ${line[0].text} wins: ${line.map((each) => each.text).join(" ")}.`,
    board: BOARD,
    all: "All boards",
    intro: "In each puzzle, exactly one move wins.",
    own: "From your games",
    none: "Review a game: your worst moves become puzzles.",
    count: (/** @type {number} */ solved, /** @type {number} */ all) =>
      `${solved} of ${all} solved`,
    solve: (/** @type {string} */ grade) => `Next puzzle: ${grade}`,
    start: START,
    on: NEXT,
    finished: "All of these puzzles are solved.",
    again: "Try again",
    answer: "Show the answer",
    how: "Show how",
    back: "Back to the review",
    task: (/** @type {import("./messages.js").ListedMistake} */ { number, color, move }) =>
      `${number}. ${COLORS[color]} ${move}: find a better move`,
    find: (/** @type {WorstMove} */ { color, move }) =>
      `${COLORS[color]} played ${move}. Find a better move on the board.`,
    line: (/** @type {WorstMove} */ { best }) =>
      `The engine plays ${best.map((each) => each.text).join(" ")}.`,
    tried: (
      /** @type {TreeNode} */ { move, loss, mark },
      /** @type {WorstMove} */ { move: made, loss: cost, mark: before },
    ) => {
      if (loss === null) return `Evaluating ${move}…`;
      const price = `${move} costs ${wholePercent(loss)}`;
      if (!mark) return `Well done: ${price}, ${made} cost ${wholePercent(cost)}.`;
      const kind = `${/^[aeiou]/.test(mark) ? "an" : "a"} ${mark}`;
      return `${mark === before ? `Still ${kind}` : kind.replace("a", "A")}: ${price}. Try again.`;
    },
  },

  learn: {
    title: "Learn",
    teach: "Teach me",
    explain: "Points out your mistakes and lets you take them back, except in games with a friend.",
    rating: (/** @type {import("./messages.js").Rating} */ each) => {
      const { rating, deviation, level, games, wins, draws } = each;
      if (!games) return "Finish a game against an engine to get a rating.";
      return (
        `Your rating: ${rating} ± ${deviation}, about level ${level}, ` +
        `from ${counted(games, "game")} (${wins} won, ${draws} drawn).`
      );
    },
    adaptive: (/** @type {import("./messages.js").Rating} */ { adaptive }) =>
      `The adaptive opponent is now at level ${adaptive}.`,
  },

  invite: {
    title: "Invite a friend",
    color: "Friend plays",
    create: "Create links",
    end: "End the invitation",
    play: "Link to play",
    watch: "Link to watch",
    allow: "Allow",
    decline: "Decline",
    engine: "In the game on the board, your friend takes the place of the engine.",
    replaces: "Another game on the board replaces the one with your friend.",
    waiting: "Waiting for the other player to agree.",
    withdraw: "Withdraw",
    explain: "The links work until you end the invitation.",
    local:
      "The links work on this computer only. " +
      "For links that other devices can open, start the board like this:",
    command: "Command",
    code: (/** @type {string} */ link) => `${link}, as a QR code`,
    asked: "Your friend asks to take a move back.",
  },

  library: {
    title: LIBRARY,
    empty: "No saved games yet. A game that has moves is saved when you start another one.",
    stored: "Game saved.",
    current: "The game on the board will appear here when you start another one.",
    reopen: "Reopen",
    undo: UNDO,
    board: "Last position",
    gameTitle: "Title of the game",
    rename: "Rename",
    delete: "Delete",
    openGame: "Open",
    open: (/** @type {string} */ name) => `Open ${name}`,
    renameGame: (/** @type {string} */ name) => `Rename ${name}`,
    saveGame: (/** @type {string} */ name) => `Save ${name}`,
    deleteGame: (/** @type {string} */ name) => `Delete ${name}`,
    deleted: (/** @type {string} */ name) => `Deleted: ${name}`,
    filters: { game: GAME, opponent: "Opponent" },
    allGames: "All games",
    allOpponents: "All opponents",
    name: (/** @type {GameSummary} */ game) => game.title || bothNames(game),
    opponent: (/** @type {GameSummary} */ game) =>
      game.human ? nameIn(game, game.human === "black" ? "white" : "black") : bothNames(game),
    about: (/** @type {GameSummary} */ summary, /** @type {string} */ game) => {
      const { width, height, moves } = summary;
      return [
        dateOf(summary),
        `${game} ${size(width, height)}`,
        counted(moves, "move"),
        resultIn(summary),
      ]
        .filter(Boolean)
        .join(" · ");
    },
  },

  console: {
    title: "GTP",
    log: "GTP log",
    command: "GTP command",
    placeholder: "e.g. showboard; Tab completes",
    send: "Send",
    watch: "Log all GTP commands",
    offers: "Commands",
    help: (/** @type {string} */ name) => `What does ${name} do?`,
    busy: "Waiting for the engine…",
    reserved: "The console of this engine is reserved for the host.",
  },

  options: (/** @type {import("./messages.js").OptionInfo} */ { name, help }) =>
    ({
      pie: "Pie rule: the second player may swap",
      crosscut: "Start with a crosscut in the center",
    })[name] ?? help,

  dialogs: {
    players: ACTIONS.players,
    change: "Change",
    resign: "Resign?",
    unrate: {
      title: "Continue unrated?",
      text:
        "A game with help from an engine, or with a move taken back, does not count for your " +
        "rating.",
    },
    pass: { title: "Pass?", text: "A pass loses this game." },
    newGame: {
      title: ACTIONS.new,
      start: START,
      game: GAME,
      size: BOARD,
      columns: "Columns",
      rows: "Rows",
      handicap: "Handicap",
      clock: "Clock",
      noClock: "No clock",
      custom: "Other…",
      main: "Main time (s)",
      increment: "Increment (s)",
      period: "Period length (s)",
      periods: "Periods",
      fixed: (/** @type {number} */ width, /** @type {number} */ height) =>
        `The board is ${width}×${height}.`,
      stones: (/** @type {number} */ stones) =>
        stones ? counted(stones, "handicap stone") : "None",
      time: (
        /** @type {import("./messages.js").TimeSetting} */ { main, increment, period, periods },
      ) => {
        const minutes = `${main / 60} min`;
        if (periods) return `${minutes}, then ${periods} periods of ${period} s`;
        return increment ? `${minutes} + ${increment} s per move` : minutes;
      },
    },
    setUp: {
      title: "Set up a position",
      start: "Start from here",
      clear: "Clear",
      brush: "Piece to place",
      explain: "Click to place the selected piece; click again to remove it.",
      toMove: "To move",
      board: "Position editor",
    },
    load: {
      title: LOAD,
      submit: LOAD,
      text: "Game or position",
      file: "File",
      empty: "Nothing to load.",
      added: "The moves were added as a variation.",
      long: "The text is too long.",
      emptyFile: "The file is empty.",
      several: "Drop one file at a time.",
      unreadable: "Cannot read this: it is a directory, or the file has changed.",
      explain: "Paste SGF, a position string or a list of moves, or choose a file.",
      drop: "You can also drop a file on the page.",
      placeholder: "D4 E5 C3 …   or   (;FF[4] …)   or   .X./.O./... b",
    },
    save: {
      title: SAVE,
      save: SAVE,
      copy: "Copy",
      saved: "Saved.",
      copied: "Copied.",
      forbidden: "this browser does not allow it",
      failed: (/** @type {string} */ why) => `Failed: ${why}`,
      kinds: {
        link: "Link to the game",
        gif: "Animated game (GIF)",
        cascade: "Animated last move (GIF)",
        sgf: "Game as SGF",
        json: "Abstract Play record",
        svg: "Board as SVG",
        png: "Board as PNG",
        text: "Board as text",
      },
    },
    rules: { title: ACTIONS.rules, game: GAME, back: "Back", on: NEXT, board: "Example" },
    shortcuts: {
      title: "Keyboard shortcuts",
      onBoard: "On the board (focus it with Tab or B)",
      board: [
        ["Move the cursor", "←", "→", "↑", "↓"],
        ["Play at the cursor", "Enter", KEYS[" "]],
      ],
    },
  },
};
