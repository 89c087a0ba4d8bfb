// Written by tools/board_types.py from the messages and requests of pinchtp/board/.

export const LIMITS = {
  Strength: {
    visits: { min: 1, max: 2147483648 },
    seconds: { min: 0.01, max: 3600 },
  },
  TimeSetting: {
    main: { min: 0, max: 1000000 },
    increment: { min: 0, max: 1000000 },
    period: { min: 0, max: 1000000 },
    periods: { min: 0, max: 1000 },
  },
  PlayerChoice: {
    name: { maxlength: 100 },
  },
  SetName: {
    name: { maxlength: 100 },
  },
  Solve: {
    seconds: { min: 0.1, max: 3600 },
  },
  ConsoleCommand: {
    line: { maxlength: 4000 },
  },
  Comment: {
    text: { maxlength: 1048576 },
  },
  RenameGame: {
    title: { maxlength: 100 },
  },
  Load: {
    text: { maxlength: 1048576 },
  },
  Step: {
    by: { min: -10000, max: 10000 },
  },
};
