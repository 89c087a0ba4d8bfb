// Written by tools/board_types.py from the messages and requests of pinchtp/board/.

export const LIMITS = {
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
  Solve: {
    seconds: { min: 0.1, max: 3600 },
    engine: { min: 0, max: 99 },
  },
};
