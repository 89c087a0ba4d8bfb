// All that the page says, in one place. Sentences about a position come from the server.

/** @typedef {import("./messages.js").TreeNode} TreeNode */

/** @type {{ [color: string]: string }} */
const COLORS = { black: "Black", white: "White" };

/** @type {{ [mark: string]: string }} */
const MARKS = { inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder" };

/** @type {{ [key: string]: string }} */
const KEYS = {
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "Space", Escape: "Esc",
};

/** @type {{ [level: string]: string }} */
const LEVELS = { warning: "Note:", error: "Error:" };

/** @type {{ [cell: number]: string }} */
const CELLS = { 0: "Empty", 1: COLORS.black, 2: COLORS.white, 3: "Black king", 4: "White king", 5: "Banned", [-1]: "No point" };

const wholePercent = (/** @type {number} */ share) => `${Math.round(100 * share)}%`;
const counted = (/** @type {number} */ count, /** @type {string} */ one, more = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : more}`;

// Names of things that stand in several places.
const START = "Start", STOP = "Stop", GAME = "Game", MOVES = "Moves", REVIEW = "Review", SOLVE = "Solve", LOAD = "Load", SAVE = "Save";
const ACTIONS = {
  new: "New game", undo: "Undo", hint: "Hint", swap: "Swap colors", pass: "Pass", resign: "Resign",
  rematch: "Rematch", think: "Move for me", pause: "Pause", resume: "Play on from here",
  cancel: "Take this turn back", players: "Players", back: "One move back", on: "One move on", first: "To the start",
  last: "To the end", previous: "The variation before", next: "The next variation",
  autoplay: "Play the moves one after another", captures: "Show the captures again", board: "To the board",
  analyze: "Live analysis on or off", draw: "What is drawn on the board", "to-review": "Review the game", setup: "Set up",
  load: LOAD, save: SAVE, rules: "Rules", console: "GTP console", shortcuts: "Keys",
};

const SIDES = { upright: "top and bottom", level: "left and right" };

/** @type {{ [theme: string]: string }} */
const THEMES = { "": "Colors: system", light: "Colors: light", dark: "Colors: dark" };

export const STRINGS = {
  cancel: "Cancel",
  close: "Close",
  dismiss: "Dismiss",
  colors: COLORS,
  keys: KEYS,
  themes: THEMES,
  actions: ACTIONS,
  levels: LEVELS,
  cells: CELLS,
  title: (/** @type {string} */ game, /** @type {number} */ width, /** @type {number} */ height) => `${game} ${width}×${height}`,

  connection: {
    connecting: "Connecting…",
    open: "",
    lost: "The server does not answer. The page connects again as soon as it does; the game is kept there.",
  },

  steps: {
    label: MOVES, first: "To the start (Home)", back: "One move back (←)",
    on: "One move on (→)", last: "To the end (End)",
  },

  tabs: { game: GAME, analysis: "Analysis", review: REVIEW, console: "Console" },

  board: {
    label: "Board. Arrow keys walk over the points, Enter plays.",
    cell: (/** @type {string} */ name, /** @type {number} */ cell) => `${name}, ${CELLS[cell]?.toLowerCase() ?? ""}`,
    last: "last move",
    goal: { black: "Black joins these sides", white: "White joins these sides" },
    refused: {
      notYours: "It is not your turn.",
      taken: (/** @type {string} */ name) => `${name} is not free.`,
      cannotMove: (/** @type {string} */ name) => `Nothing of yours can move from ${name}, or other moves are compulsory.`,
    },
  },

  players: {
    human: (/** @type {string} */ color) => `You (${color})`,
    visits: (/** @type {number} */ count) => counted(count, "visit"),
    seconds: (/** @type {number} */ seconds) => `${seconds} s a move`,
    elo: (/** @type {number} */ rating) => `about ${rating} Elo`,
    toMove: "to move ◀",
    thinking: "thinking…",
    won: "won ★",
    sides: { upright: `joins ↕ ${SIDES.upright}`, level: `joins ↔ ${SIDES.level}` },
    adaptive: (/** @type {number} */ level) => `Level ${level}, adjusts`,
    fields: {
      who: "Played by", human: "Human", level: "Strength", visits: "A number of visits…",
      seconds: "Seconds a move…", amount: "How many", name: "Name", namePlaceholder: "You",
    },
  },

  turn: {
    tapAgain: (/** @type {string} */ point) => `Tap ${point} once more to play there.`,
    placeAt: (/** @type {string} */ point) => `Play ${point}`,
    paused: `The game is paused: “${ACTIONS.resume}” lets the engine move.`,
    whereTo: "Choose where it goes.",
    mustCapture: "You must capture: choose one of the marked men.",
    chooseMan: "Choose a man to move.",
    place: (/** @type {string} */ color, /** @type {boolean} */ isUpright) =>
      `Put a ${color.toLowerCase()} stone on any free point, to join ${isUpright ? SIDES.upright : SIDES.level}.`,
    join: (/** @type {string} */ color, /** @type {boolean} */ isUpright) =>
      `Join ${isUpright ? SIDES.upright : SIDES.level} by a chain of ${color.toLowerCase()} stones to win.`,
    placeOnly: (/** @type {string} */ color) => `Put a ${color.toLowerCase()} stone on any free point.`,
    takeBack: "Take it back",
    showReply: "Show why",
    showBest: (/** @type {string} */ move) => `Show ${move}`,
    playOn: "Play on",
  },

  graph: {
    caption: "Black's chance to win, move by move",
    describe: (/** @type {number} */ known, /** @type {number | null} */ here) =>
      `Black's chance to win over the game, known after ${counted(known, "move")}`
      + (here === null ? "" : `; here ${wholePercent(here)}`),
  },

  autoplay: {
    start: "Play", stop: STOP, pace: "Pace of play",
    seconds: (/** @type {number} */ seconds) => `${seconds} s`,
  },

  tree: {
    title: MOVES,
    label: "Game tree; arrow keys go through it",
    describe: (/** @type {number} */ moves) => `A tree of ${counted(moves, "move")}`,
    node: (/** @type {number} */ number, /** @type {TreeNode} */ { color, move, black, loss, mark }) => {
      if (!move) return START;
      const turn = color && move.startsWith(`${color} `) ? move.slice(color.length + 1) : move; // "black resigns"
      const words = [`${number}. ${color ? COLORS[color] : ""} ${turn}`];
      if (black !== null) words.push(`Black ${wholePercent(black)}`);
      if (mark) words.push(`${MARKS[mark] ?? mark}${loss === null ? "" : `, −${wholePercent(loss)}`}`);
      return words.join(" · ");
    },
    comment: "Comment",
    promote: "Make it the main line",
    remove: "Delete from here",
  },

  analysis: {
    live: "Live analysis",
    engine: "Engine",
    draw: "On the board",
    drawings: { none: "candidates only", ownership: "ownership", priors: "priors" },
    drawing: "The engine works on what is to be drawn…",
    none: "Switch it on to see what the engine considers here.",
    begins: "The engine begins to think…",
    over: "The game is over: there is nothing to consider here.",
    rests: "Live analysis rests, as nobody has touched the board for a while. It goes on with the next click or key.",
    summary: (/** @type {number} */ visits, /** @type {number} */ black) =>
      `${counted(visits, "visit")}, Black's chance to win ${wholePercent(black)}`,
    columns: ["Move", "Win rate", "Visits", "What may follow"],
  },

  solver: {
    title: SOLVE, start: SOLVE, stop: STOP, seconds: "seconds at most", budget: "Seconds at most",
    showLine: "Show the line on the board",
  },

  review: {
    title: "Review of the game", start: REVIEW, stop: STOP, depth: "How thoroughly",
    visits: (/** @type {number} */ visits) => `${counted(visits, "visit")} a move`,
    progress: "Progress of the review",
    intro: "The engine looks at every move of the game and lists the worst.",
    worst: "The worst moves",
    said: (/** @type {import("./messages.js").Review} */ { done, total, running, worst }) =>
      running ? `${done} of ${total} positions` : `${counted(total, "position")} reviewed: ${
        worst.length ? counted(worst.length, "bad move") : "no bad moves"}`,
    move: (/** @type {import("./messages.js").WorstMove} */ { number, color, move, best, mark }) =>
      `${number}. ${COLORS[color]} ${move}${mark ? `, ${MARKS[mark] ?? mark}` : ""}${best[0] ? `; better ${best[0].text}` : ""}`,
  },

  learn: {
    title: "Learn",
    teach: "Teach me",
    explain: "BoardInput out a move of yours that throws something away, and offers to take it back.",
    rating: (/** @type {import("./messages.js").Rating} */ { rating, deviation, games, wins, draws }) => (games
      ? `Your rating: ${rating} ± ${deviation}, from ${counted(games, "game")} (${wins} won, ${draws} drawn).`
      : "Your rating appears after a finished game against an engine."),
    adaptive: (/** @type {import("./messages.js").Rating} */ { adaptive }) =>
      `The opponent that adjusts to you plays at level ${adaptive} now.`,
  },

  console: {
    title: "GTP", log: "Traffic", command: "GTP command", placeholder: "a command, such as showboard; Tab completes",
    send: "Send", watch: "Show all traffic with engines", offers: "Commands",
    help: (/** @type {string} */ name) => `What does ${name} do?`,
  },

  options: (/** @type {import("./messages.js").OptionInfo} */ { name, help }) =>
    ({ pie: "Pie rule: the second player may swap", crosscut: "Begin with a crosscut in the centre" })[name] ?? help,

  dialogs: {
    players: ACTIONS.players,
    change: "Change",
    resign: "Give this game up?",
    newGame: {
      title: ACTIONS.new, start: START, game: GAME, board: "Board and rules", size: "Columns × rows",
      columns: "Columns", rows: "Rows", handicap: "Handicap", clock: "Clock", noClock: "No clock", custom: "Other…",
      main: "Seconds to begin with", increment: "Seconds added a move", period: "Seconds of a period", periods: "Periods of byo-yomi",
      fixed: (/** @type {number} */ width, /** @type {number} */ height) => `The board is ${width}×${height}.`,
      stones: (/** @type {number} */ stones) => (stones ? counted(stones, "black stone in advance", "black stones in advance") : "None"),
      time: (/** @type {import("./messages.js").TimeSetting} */ { main, increment, period, periods }) => {
        const minutes = `${main / 60} min`;
        if (periods) return `${minutes}, then ${periods} periods of ${period} s`;
        return increment ? `${minutes} + ${increment} s a move` : minutes;
      },
    },
    setUp: {
      title: "Set up a position", start: "Start from here", clear: "Clear", brush: "What a click puts down",
      explain: "A click puts down what is chosen, or takes it away again.", toMove: "To move", board: "The board to set up",
    },
    load: {
      title: LOAD, submit: LOAD, text: "Game or position", file: "A file", empty: "There is nothing to load.",
      long: "That is too long.",
      explain: "Paste SGF, a position string, or a list of moves; or choose a file. Files can also be dropped on the page.",
      placeholder: "D4 E5 C3 …   or   (;FF[4] …)   or   .X./.O./... b",
    },
    save: {
      title: SAVE, save: SAVE, copy: "Copy", saved: "Saved.", copied: "Copied.",
      failed: (/** @type {string} */ why) => `That failed: ${why}`,
      kinds: { sgf: "The game as SGF", svg: "The board as SVG", png: "The board as PNG", text: "The board as text" },
    },
    rules: { title: ACTIONS.rules, game: GAME, back: "Back", on: "Next", board: "Example" },
    shortcuts: {
      title: ACTIONS.shortcuts,
      onBoard: "On the board (reached by Tab or B)",
      board: [["TreeNavigator over the points", "←", "→", "↑", "↓"], ["Play there", "Enter", KEYS[" "]]],
    },
  },
};
