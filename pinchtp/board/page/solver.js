// The solver: it proves who wins a position.
import { button, make, setAttribute, setText } from "./dom.js";
import { LIMITS } from "./limits.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */

/** @param {App} app */
export function solverSection(app) {
  const { solver } = STRINGS;
  const seconds = make("input", {
    type: "number",
    step: "any",
    ...LIMITS.Solve.seconds,
    value: 30,
    id: "solve-seconds",
    "aria-label": solver.budget,
  });
  const start = button(
    solver.start,
    () => {
      const isRunning = app.state.table?.tasks.includes("solve");
      app.send(
        isRunning
          ? { type: "stop", task: "solve" }
          : { type: "solve", seconds: Number(seconds.value) || 30, engine: app.state.engine },
      );
    },
    { "data-action": "solve" },
  );
  const result = make("p", { id: "solution", role: "status" });
  const line = button(solver.showLine, () => app.toggleLine(app.state.solution?.line ?? []), {
    "data-action": "proof-line",
  });
  app.store.watch(["table", "solution", "hello"], ({ table, solution }) => {
    const isRunning = table?.tasks.includes("solve") ?? false;
    setText(start, isRunning ? solver.stop : solver.start);
    start.disabled = !isRunning && !app.can("solve");
    setText(result, solution?.sentence ?? "");
    line.hidden = !solution?.line.length;
  });
  app.store.watch(["solution", "kept"], ({ solution }) =>
    setAttribute(line, "aria-pressed", app.isKept(solution?.line ?? [])),
  );
  return make(
    "section",
    {},
    make("h2", {}, solver.title),
    make(
      "div",
      { class: "row" },
      start,
      make("label", { class: "switch" }, seconds, solver.seconds),
    ),
    result,
    line,
  );
}
