// Written by tools/board_types.py from the messages and requests of pinchtp/board/.

export const LIMITS = {
  PlayerChoice: {
    engine: { min: 0, max: 99 },
  },
  Strength: {
    number: { min: 1, max: 20 },
    visits: { min: 1, max: 2147483648 },
    seconds: { min: 0.01, max: 3600 },
  },
  TimeSetting: {
    main: { min: 0, max: 1000000 },
    increment: { min: 0, max: 1000000 },
    period: { min: 0, max: 1000000 },
    periods: { min: 0, max: 1000 },
  },
  Analyze: {
    engine: { min: 0, max: 99 },
  },
  AskHint: {
    engine: { min: 0, max: 99 },
  },
  AskOverlay: {
    engine: { min: 0, max: 99 },
  },
  AskReview: {
    visits: { min: 1, max: 1000000 },
    engine: { min: 0, max: 99 },
  },
  ConsoleCommand: {
    engine: { min: 0, max: 99 },
  },
  JudgeMove: {
    visits: { min: 1, max: 1000000 },
    engine: { min: 0, max: 99 },
  },
  NewGame: {
    handicap: { min: 0, max: 100 },
  },
  Play: {
    at: { min: 0, max: 2147483648 },
  },
  SetOptions: {
    pace: { min: 0, max: 60 },
  },
  Solve: {
    seconds: { min: 0.1, max: 3600 },
    engine: { min: 0, max: 99 },
  },
  Step: {
    by: { min: -10000, max: 10000 },
  },
  Think: {
    engine: { min: 0, max: 99 },
  },
};
