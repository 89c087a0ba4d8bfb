// A GTP console: commands with completion, responses, and an optional log of all commands.
import { button, make } from "./dom.js";
import { LIMITS } from "./limits.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./messages.js").ConsoleLine} ConsoleLine */

const MOST_OFFERED = 40;

/** @param {App} app @returns {Node[]} */
export function consolePanel(app) {
  const input = new CommandInput(app);
  const busy = make(
    "div",
    { class: "row", id: "console-busy", role: "status" },
    make("span", { class: "note grow" }, STRINGS.console.busy),
    button(STRINGS.cancel, () => app.send({ type: "stop", task: "console" })),
  );
  const reserved = make("p", { class: "note" }, STRINGS.console.reserved);
  app.store.watch(["table", "hello", "engine"], ({ hello, engine }) => {
    busy.hidden = !app.isRunning("console");
    reserved.hidden = hello?.engines[engine]?.console ?? true;
    input.element.hidden = !reserved.hidden;
  });
  return [
    make(
      "section",
      {},
      make("h2", {}, STRINGS.console.title),
      log(app),
      busy,
      reserved,
      input.element,
      input.offers,
      make("label", { class: "switch" }, watchSwitch(app), STRINGS.console.watch),
    ),
  ];
}

/**
 * The lines of the console; it stays at its end unless the visitor has scrolled.
 * @param {App} app
 */
function log(app) {
  const log = make("pre", {
    class: "traffic",
    id: "traffic",
    tabindex: 0,
    role: "log",
    "aria-label": STRINGS.console.log,
  });
  let shown = 0; // lines of the state that are in the log
  /** @type {ConsoleLine | undefined} */
  let latest;
  app.store.watch(["lines", "hello"], ({ lines, hello }) => {
    const from = latest ? lines.lastIndexOf(latest) + 1 : 0;
    const added = lines.slice(from);
    const isAtEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 30;
    log.append(
      ...added.map((each) =>
        lineOf(each, hello?.engines.length ?? 1, hello?.engines[each.engine]?.name ?? ""),
      ),
    );
    shown += added.length;
    for (; shown > lines.length; shown--) log.firstChild?.remove();
    latest = lines.at(-1);
    if (isAtEnd) log.scrollTop = log.scrollHeight;
  });
  return log;
}

/** Whether all commands are logged. @param {App} app */
function watchSwitch(app) {
  const watch = make("input", {
    type: "checkbox",
    id: "watch",
    change: () => app.server.send({ type: "watch", on: watch.checked }),
  });
  // A new connection starts without the log.
  app.store.watch(["connection"], ({ connection }) => {
    if (connection === "open" && watch.checked) app.server.send({ type: "watch", on: true });
  });
  return watch;
}

/** @param {ConsoleLine} line @param {number} engines @param {string} name */
function lineOf({ kind, text }, engines, name) {
  const kinds = /** @type {{ [kind: string]: string }} */ ({
    ">": "sent",
    "<": "received",
  });
  const isRefused = kind === "<" && text.startsWith("?");
  return make(
    "span",
    { class: `${kinds[kind] ?? ""}${isRefused ? " refused" : ""}` },
    engines > 1 ? `${name}: ${text}` : text,
  );
}

/** The command line: Tab completes, up and down browse the history. */
class CommandInput {
  /** @type {string[]} */ #history = [];
  #place = 0;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.input = make("input", {
      type: "text",
      id: "gtp",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      placeholder: STRINGS.console.placeholder,
      "aria-label": STRINGS.console.command,
      ...LIMITS.ConsoleCommand.line,
      keydown: (/** @type {KeyboardEvent} */ event) => this.#press(event),
      input: () => this.#offer(),
    });
    this.offers = make("ul", {
      class: "completions",
      id: "completions",
      "aria-label": STRINGS.console.offers,
    });
    this.element = make(
      "form",
      { class: "row", submit: (/** @type {Event} */ event) => this.#submit(event) },
      make("span", { class: "grow" }, this.input),
      make("button", { type: "submit" }, STRINGS.console.send),
    );
    app.store.watch(["hello", "engine"], () => this.#offer());
  }

  /** @param {Event} event */
  async #submit(event) {
    event.preventDefault();
    const line = this.input.value.trim();
    if (!line) return;
    const { engine } = this.app.state;
    this.#history = [...this.#history.filter((each) => each !== line), line].slice(-100);
    this.#place = this.#history.length;
    this.#write("");
    const isAccepted = await this.app.attempt({ type: "console-command", line, engine });
    if (!isAccepted && !this.input.value) this.#write(line);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const matches = this.#matches();
    if (
      event.key === "Tab" &&
      !event.shiftKey &&
      this.input.value &&
      matches.length &&
      !matches.includes(this.input.value.trim())
    ) {
      event.preventDefault();
      this.#write(common(matches) + (matches.length === 1 ? " " : ""));
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      const step = event.key === "ArrowUp" ? -1 : 1;
      this.#place = Math.max(0, Math.min(this.#history.length, this.#place + step));
      this.#write(this.#history[this.#place] ?? "");
    }
  }

  /** Commands that match the input. */
  #matches() {
    const prefix = this.input.value.trimStart();
    if (prefix.includes(" ")) return [];
    return (this.app.engine?.commands ?? []).filter((each) => each.startsWith(prefix)).sort();
  }

  #offer() {
    const matches = this.input.value.trim() ? this.#matches() : [];
    const written = this.input.value.trim();
    const help = matches.includes(written) ? [this.#helpButton(written)] : [];
    this.offers.replaceChildren(
      ...help,
      ...matches.slice(0, MOST_OFFERED).map((name) =>
        make(
          "li",
          {},
          button(name, () => {
            this.#write(`${name} `);
            this.input.focus();
          }),
        ),
      ),
    );
  }

  /** A button that requests help for a command. @param {string} name */
  #helpButton(name) {
    return make(
      "li",
      {},
      button(STRINGS.console.help(name), () => {
        this.app.send({
          type: "console-command",
          line: `help ${name}`,
          engine: this.app.state.engine,
        });
      }),
    );
  }

  /** @param {string} text */
  #write(text) {
    this.input.value = text;
    this.#offer();
  }
}

/** The longest common prefix. @param {string[]} words */
function common(words) {
  let length = words[0].length;
  for (const word of words) while (!word.startsWith(words[0].slice(0, length))) length -= 1;
  return words[0].slice(0, length);
}
