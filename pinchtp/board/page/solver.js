// The solver: it proves who wins a position.
import { button, make, setAttribute, setText } from "./dom.js";
import { LIMITS } from "./limits.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */

/** @param {App} app */
export function solverSection(app) {
  const { solver } = STRINGS;
  const seconds = secondsField();
  const start = button(
    solver.start,
    () => {
      app.send(
        app.isRunning("solve")
          ? { type: "stop", task: "solve" }
          : { type: "solve", seconds: Number(seconds.value) || 30, engine: app.state.engine },
      );
    },
    { "data-action": "solve" },
  );
  const result = make("p", { id: "solution", role: "status" });
  app.store.watch(["table", "solution", "hello"], ({ solution }) => {
    const isRunning = app.isRunning("solve");
    setText(start, isRunning ? solver.stop : solver.start);
    start.disabled = !isRunning && !app.can("solve");
    setText(result, isRunning ? solver.running : (solution?.sentence ?? ""));
  });
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
    lineButton(app),
  );
}

const secondsField = () =>
  make("input", {
    type: "number",
    step: "any",
    ...LIMITS.Solve.seconds,
    value: 30,
    id: "solve-seconds",
    "aria-label": STRINGS.solver.budget,
  });

/** A button that shows the line of the proof, and hides it again. @param {App} app */
function lineButton(app) {
  const line = () => app.state.solution?.line ?? [];
  const made = button(STRINGS.solver.showLine, () => app.toggleLine(line()), {
    "data-action": "proof-line",
  });
  app.store.watch(["table", "solution", "kept"], () => {
    made.hidden = !line().length;
    setAttribute(made, "aria-pressed", app.isKept(line()));
  });
  return made;
}
