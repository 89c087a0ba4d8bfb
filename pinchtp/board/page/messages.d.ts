// Written by tools/board_types.py from the messages and requests of pinchtp/board/.

export interface BoardMarker {
  name: string;
  color: "black" | "white";
  points: number[];
}

export interface BoardView {
  width: number;
  height: number;
  cells: number[];
  columns: string[];
  rows: string[];
  ground: string;
  chain: number[];
  distances: number[];
  last: number[];
  captured: Captured[];
  notes: BoardMarker[];
  lifted: ("black" | "white")[];
  top_owner: "black" | "white" | null;
}

export interface CandidateInfo {
  move: string;
  points: number[];
  visits: number;
  winrate: number;
  order: number;
  pv: VariationMove[];
  prior: number | null;
}

export interface Captured {
  at: number;
  was: number;
  step: number;
}

export interface ClockView {
  left: number;
  periods: number;
  running: boolean;
}

export interface Clocks {
  black: ClockView;
  white: ClockView;
}

export interface ConsoleLine {
  engine: number;
  kind: string;
  text: string;
}

export interface EngineInfo {
  name: string;
  console: boolean;
  commands: string[];
  overlays: OverlayInfo[];
}

export interface ForcedMove {
  node: number;
  number: number;
  color: "black" | "white";
  move: string;
  sentence: string;
  line: VariationMove[];
}

export interface GameInfo {
  name: string;
  title: string;
  size: [number, number];
  smallest: number;
  largest: number;
  options: OptionInfo[];
  handicap: number;
  places: boolean;
  summary: string;
  introduction: string;
  cells: number[];
  lesson: boolean;
}

export interface GameSummary {
  id: string;
  title: string;
  game: string;
  date: string;
  black: string;
  white: string;
  result: string;
  width: number;
  height: number;
  moves: number;
  stored: number;
  played: number;
  board: BoardView | null;
  human: "black" | "white" | null;
  winner: "black" | "white" | "draw" | "";
  lessons: ListedMistake[];
}

export interface InvitationLink {
  address: string;
  code: string;
}

export interface Legal {
  points: number[];
  turns: LegalTurn[];
  pass_loses: boolean;
  todo: string;
  refusals: { [key: string]: string };
}

export interface LegalTurn {
  text: string;
  parts: number[];
  captured: number[];
}

export interface LessonSection {
  heading: string;
  paragraphs: string[];
  steps: LessonStep[];
}

export interface LessonStep {
  board: BoardView;
  caption: string;
}

export interface ListedMistake {
  number: number;
  color: "black" | "white";
  move: string;
  loss: number;
  solved: boolean;
}

export interface OptionInfo {
  name: string;
  help: string;
  switch: boolean;
  default: boolean | number;
  opening: boolean;
  least: number | null;
  most: number | null;
}

export interface OverlayInfo {
  command: string;
  title: string;
  opening: boolean;
}

export interface OverlayPoint {
  at: number;
  color: string;
  label: string;
}

export interface PlayerChoice {
  engine: number | null;
  level: Strength;
  name: string;
}

export interface Players {
  black: PlayerChoice;
  white: PlayerChoice;
}

export interface PuzzleInfo {
  id: string;
  game: string;
  width: number;
  height: number;
  level: number;
  solved: boolean;
}

export interface Rating {
  rating: number;
  level: number;
  deviation: number;
  games: number;
  wins: number;
  draws: number;
  adaptive: number;
}

export interface Result {
  winner: "black" | "white" | "draw";
  sentence: string;
}

export interface RuleNote {
  rule: string;
  points: number[];
  text: string;
}

export interface Strength {
  name: string;
  number: number | null;
  visits: number | null;
  seconds: number | null;
  random: number;
  adaptive: boolean;
  rating: number | null;
}

export interface Teaching {
  best: VariationMove;
  reply: VariationMove[];
  sentence: string;
}

export interface Thinking {
  engine: number;
  color: "black" | "white";
}

export interface TimeSetting {
  main: number;
  increment: number;
  period: number;
  periods: number;
}

export interface TreeNode {
  id: number;
  parent: number | null;
  color: "black" | "white" | null;
  move: string;
  points: number[];
  comment: string;
  black: number | null;
  loss: number | null;
  mark: string;
}

export interface VariationMove {
  color: "black" | "white";
  text: string;
  points: number[];
  changes: [number, number][];
}

export interface WorstMove {
  node: number;
  number: number;
  color: "black" | "white";
  move: string;
  loss: number;
  best: VariationMove[];
  mark: string;
}

export interface Accepted {
  type: "accepted";
  request: number;
}

export interface AnalysisUpdate {
  type: "analysis";
  node: number;
  color: "black" | "white";
  visits: number;
  black: number;
  candidates: CandidateInfo[];
  ownership: number[] | null;
}

export interface Console {
  type: "console";
  lines: ConsoleLine[];
  request: number;
}

export interface Exported {
  type: "exported";
  request: number;
  name: string;
  text: string;
}

export interface GamePicture {
  type: "game-picture";
  request: number;
  board: BoardView;
}

export interface GameStored {
  type: "game-stored";
  game: string;
}

export interface Games {
  type: "games";
  request: number;
  games: GameSummary[];
}

export interface Hello {
  type: "hello";
  games: GameInfo[];
  engines: EngineInfo[];
  levels: Strength[];
  served: boolean;
}

export interface Hint {
  type: "hint";
  node: number;
  move: VariationMove;
  sentence: string;
}

export interface Invitation {
  type: "invitation";
  request: number;
  friend: InvitationLink;
  watcher: InvitationLink;
}

export interface Notice {
  type: "notice";
  level: "info" | "warning" | "error";
  text: string;
  serial: number;
}

export interface OpenedPuzzle {
  type: "opened-puzzle";
  request: number;
  id: string;
  level: number;
  color: "black" | "white";
  line: VariationMove[];
}

export interface Overlay {
  type: "overlay";
  node: number;
  command: string;
  title: string;
  points: OverlayPoint[];
  text: string;
}

export interface Puzzles {
  type: "puzzles";
  request: number;
  puzzles: PuzzleInfo[];
}

export interface RequestRefused {
  type: "refused";
  request: number;
  text: string;
}

export interface Review {
  type: "review";
  done: number;
  total: number;
  running: boolean;
  worst: WorstMove[];
  own: WorstMove[];
  forced: ForcedMove[];
}

export interface Rules {
  type: "rules";
  request: number;
  sections: LessonSection[];
}

export interface SolverResult {
  type: "solution";
  node: number;
  line: VariationMove[];
  sentence: string;
}

export interface State {
  type: "state";
  game: string;
  options: { [key: string]: boolean | number };
  handicap: number;
  board: BoardView;
  serial: number;
  node: number;
  number: number;
  to_move: "black" | "white";
  legal: Legal;
  chosen: number[];
  standing: string;
  result: Result | null;
  ended: boolean;
  players: Players;
  proposed: Players;
  clocks: Clocks | null;
  time: TimeSetting | null;
  live: boolean;
  thinking: Thinking | null;
  teaching: Teaching | null;
  teach: boolean;
  unrated: string;
  rating: Rating;
  rating_change: string;
  can: string[];
  tasks: string[];
  move_text: string;
  announcement: string;
  pace: number;
  analysis_paused: boolean;
  saved: boolean;
  seat: "black" | "white" | "watch" | "";
  guest: boolean;
  undo_asked: "black" | "white" | null;
  away: ("black" | "white")[];
  puzzle: string;
  loaded: boolean;
  solved: number[];
  before: number[];
  rule_notes: RuleNote[];
}

export interface TreeView {
  type: "tree";
  nodes: TreeNode[];
  line: number[];
  whole: boolean;
  kept: number;
}

export interface Think {
  type: "think";
  id?: number;
  engine?: number;
}

export interface Analyze {
  type: "analyze";
  id?: number;
  on: boolean;
  engine?: number;
  ownership?: boolean;
}

export interface AskOverlay {
  type: "ask-overlay";
  id?: number;
  command: string;
  engine?: number;
}

export interface AskHint {
  type: "ask-hint";
  id?: number;
  engine?: number;
}

export interface Solve {
  type: "solve";
  id?: number;
  seconds?: number;
  engine?: number;
}

export interface AskReview {
  type: "ask-review";
  id?: number;
  visits?: number;
  engine?: number;
}

export interface JudgeMove {
  type: "judge-move";
  id?: number;
  visits?: number;
  engine?: number;
}

export interface ConsoleCommand {
  type: "console-command";
  id?: number;
  line: string;
  engine?: number;
}

export interface Watch {
  type: "watch";
  id?: number;
  on: boolean;
}

export interface Stop {
  type: "stop";
  id?: number;
  task: string;
}

export interface AskGames {
  type: "ask-games";
  id?: number;
}

export interface AskPicture {
  type: "ask-picture";
  id?: number;
  game: string;
}

export interface OpenGame {
  type: "open-game";
  id?: number;
  game: string;
}

export interface RenameGame {
  type: "rename-game";
  id?: number;
  game: string;
  title: string;
}

export interface DeleteGame {
  type: "delete-game";
  id?: number;
  game: string;
}

export interface RestoreGame {
  type: "restore-game";
  id?: number;
  game: string;
}

export interface Go {
  type: "go";
  id?: number;
  node: number;
}

export interface Step {
  type: "step";
  id?: number;
  by: number;
}

export interface Comment {
  type: "comment";
  id?: number;
  node: number;
  text: string;
}

export interface Delete {
  type: "delete";
  id?: number;
  node: number;
}

export interface Undelete {
  type: "undelete";
  id?: number;
}

export interface Promote {
  type: "promote";
  id?: number;
  node: number;
}

export interface NewGame {
  type: "new-game";
  id?: number;
  game?: string;
  size?: [number, number] | null;
  options?: { [key: string]: boolean | number } | null;
  handicap?: number;
  players?: Players;
  time?: TimeSetting | null;
}

export interface Rematch {
  type: "rematch";
  id?: number;
}

export interface SetUp {
  type: "set-up";
  id?: number;
  cells: number[];
  to_move: "black" | "white";
  size?: [number, number] | null;
  game?: string;
}

export interface Load {
  type: "load";
  id?: number;
  text: string;
}

export interface Export {
  type: "export";
  id?: number;
  kind: "sgf" | "json" | "link" | "gif" | "cascade" | "svg" | "text";
  game?: string;
}

export interface Play {
  type: "play";
  id?: number;
  at?: number;
  node?: number | null;
}

export interface PlayTurn {
  type: "play-turn";
  id?: number;
  text?: string;
  node?: number | null;
}

export interface Swap {
  type: "swap";
  id?: number;
}

export interface Pass {
  type: "pass";
  id?: number;
}

export interface Cancel {
  type: "cancel";
  id?: number;
}

export interface Undo {
  type: "undo";
  id?: number;
}

export interface AnswerUndo {
  type: "answer-undo";
  id?: number;
  grant: boolean;
}

export interface WithdrawUndo {
  type: "withdraw-undo";
  id?: number;
}

export interface Resign {
  type: "resign";
  id?: number;
}

export interface Pause {
  type: "pause";
  id?: number;
}

export interface Resume {
  type: "resume";
  id?: number;
}

export interface SetPlayers {
  type: "set-players";
  id?: number;
  players: Players;
}

export interface SetOptions {
  type: "set-options";
  id?: number;
  teach?: boolean | null;
  pace?: number | null;
}

export interface AnswerTeaching {
  type: "answer-teaching";
  id?: number;
  take_back: boolean;
}

export interface Invite {
  type: "invite";
  id?: number;
  color: "black" | "white";
}

export interface EndInvitation {
  type: "end-invitation";
  id?: number;
}

export interface SetName {
  type: "set-name";
  id?: number;
  name: string;
}

export interface SetVisible {
  type: "set-visible";
  id?: number;
  visible: boolean;
}

export interface Ping {
  type: "ping";
  id?: number;
}

export interface AskRules {
  type: "ask-rules";
  id?: number;
  game: string;
}

export interface AskPuzzles {
  type: "ask-puzzles";
  id?: number;
}

export interface OpenPuzzle {
  type: "open-puzzle";
  id?: number;
  puzzle: string;
}

export interface AskPuzzle {
  type: "ask-puzzle";
  id?: number;
  puzzle: string;
}

export interface LeavePuzzle {
  type: "leave-puzzle";
  id?: number;
}

export interface MarkSolved {
  type: "mark-solved";
  id?: number;
  puzzle: string;
}

export type ServerMessage =
  | Accepted
  | AnalysisUpdate
  | Console
  | Exported
  | GamePicture
  | GameStored
  | Games
  | Hello
  | Hint
  | Invitation
  | Notice
  | OpenedPuzzle
  | Overlay
  | Puzzles
  | RequestRefused
  | Review
  | Rules
  | SolverResult
  | State
  | TreeView;

export type PageRequest =
  | Think
  | Analyze
  | AskOverlay
  | AskHint
  | Solve
  | AskReview
  | JudgeMove
  | ConsoleCommand
  | Watch
  | Stop
  | AskGames
  | AskPicture
  | OpenGame
  | RenameGame
  | DeleteGame
  | RestoreGame
  | Go
  | Step
  | Comment
  | Delete
  | Undelete
  | Promote
  | NewGame
  | Rematch
  | SetUp
  | Load
  | Export
  | Play
  | PlayTurn
  | Swap
  | Pass
  | Cancel
  | Undo
  | AnswerUndo
  | WithdrawUndo
  | Resign
  | Pause
  | Resume
  | SetPlayers
  | SetOptions
  | AnswerTeaching
  | Invite
  | EndInvitation
  | SetName
  | SetVisible
  | Ping
  | AskRules
  | AskPuzzles
  | OpenPuzzle
  | AskPuzzle
  | LeavePuzzle
  | MarkSolved;
