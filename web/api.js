// What the program offers to the page. Every answer that is a string named "json" is parsed by call() below.
// @ts-check

/**
 * @typedef {object} Lab
 * @property {(json: string) => string} measure   widths of the boxes in, their heights out
 * @property {(json: string) => string} place     boxes and pixel ratio in, places of what lies over the picture out
 * @property {(name: string) => void} theme       "light" or "dark"
 * @property {(lang: string) => void} lang        "ko" or "en"
 * @property {(more: boolean) => void} contrast  more of it, as prefers-contrast asks
 * @property {(reduced: boolean) => void} motion
 * @property {(seen: boolean) => void} visible
 * @property {(from: number, to: number) => void} window  the rows of the stage that are in the window, CSS px: while a run plays the others are not painted
 * @property {(fragment: string, wait?: number) => string} open  a link's fragment; ms in which its instant may be computed before it is shown
 * @property {(json: string) => void} expect      fragments that will probably be opened next, the most likely first: they are held ready
 * @property {(text: string) => string} load      the name of a scenario or its text
 * @property {(key: string, value: string) => string} set
 * @property {(key: string) => string} reset
 * @property {(text: string) => string} apply     a flink: block or a whole scenario
 * @property {(text: string) => string} rebuild   a scenario of the job that a text of Flink's tells of
 * @property {() => void} play
 * @property {() => void} pause
 * @property {() => void} loop      plays ten seconds from the playhead
 * @property {(factor: number) => void} speed
 * @property {(seconds: number) => void} seek
 * @property {() => void} stepForward
 * @property {() => void} stepBack
 * @property {(by: number) => void} checkpoint
 * @property {() => void} home
 * @property {() => void} end
 * @property {(key: string, values: string) => string} sweep  a run for each value of a setting; values with commas, "" = around the present one
 * @property {() => void} cancelSweep
 * @property {(name: string) => void} face        of the plot's panel: latency, space, sweep
 * @property {(what: string, format: string) => string} export  samples, commits, checkpoints, subtasks as csv or json; trace as json
 * @property {() => void} repeat                  marks where a span to loop begins, then its end, then takes it back
 * @property {(by: number) => void} zoom          of the time axis: more, less, 0 = all
 * @property {(even: boolean) => void} even       no slow motion at moments worth seeing
 * @property {(what: string, vertex: string, subtask: number, value: string) => string} act  at the playhead: kill, slow, rate, checkpoint, savepoint
 * @property {() => string} resetAll              takes back all changes
 * @property {() => void} compare                 lanes side by side, or back to one run
 * @property {() => void} addLane
 * @property {(lane: number) => void} removeLane
 * @property {(lane: number) => void} selectLane  whose settings the controls show
 * @property {() => void} turnLanes               the second lane becomes the first
 * @property {(settings?: number) => string} state   settings: of the knobs that the caller has; the same are left out, all for -1
 * @property {() => string} scenarios                 a list of id and title
 * @property {() => string} targets
 * @property {(x: number, y: number) => void} hover   in CSS px of the stage; negative: nothing is hovered
 * @property {(id: string) => void} focus             a target by id; "": none
 * @property {(id: string) => void} pin               a target by id, or what is hovered; "": unpin
 * @property {(choice: number) => void} answer        of the scenario's question
 * @property {(theme?: string) => string} still       the picture as an SVG document, light unless a theme is named
 * @property {(theme: string, source: string) => string} sheet  the picture as an SVG document for a file: with its sentence, and source below it
 * @property {(query: string) => string} address      the query of an embed's address; answers {ok, error, notes, unknown, knobs}
 * @property {(name: string) => string} key           what a short name stands for
 * @property {(from: number, to: number) => string} passed  starts and ends of checkpoints between two instants in seconds
 * @property {() => string} scene                     a hash of all that is drawn
 * @property {() => string} stats                     for measuring
 * @property {() => string} flinkBlock
 * @property {() => string} scenarioText
 * @property {() => string} link
 * @property {(call: () => void) => void} onChange    at most ten times a second
 * @property {(call: () => void) => void} onLayout    the picture's heights or places changed
 */

/** @typedef {{ text?: string, strong?: boolean, checkpoint?: number, hue?: number }} Piece  a part of a sentence */
/** @typedef {{ ok: boolean, error?: string, notes?: string[], read?: string, job?: boolean }} Result  read: what was explained and not applied; job: rebuild makes a scenario of it */
/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/** @typedef {{ tag: string, title: string, selected: boolean, settings: { key: string, name: string, value: string }[], rows: { name: string, value: string }[] }} Lane */
/** @typedef {{ id: string, group: string, box: Box, label: string }} Target */
/**
 * @typedef {object} Knob
 * @property {string} key
 * @property {string} name
 * @property {string} group     its heading
 * @property {string} value
 * @property {string} standard  the default, as text
 * @property {string} unit
 * @property {boolean} changed
 * @property {string} version        of Flink
 * @property {boolean} main
 * @property {"switch" | "choice" | "text"} kind
 * @property {string[]} stops    of the slider
 * @property {number} stop
 * @property {{ value: string, label: string }[]} choices
 * @property {string} why        effect in one sentence
 */
/**
 * @typedef {object} State
 * @property {string} scenario
 * @property {string} title
 * @property {string} seed
 * @property {number} time
 * @property {string} clock
 * @property {number} duration
 * @property {number} computed
 * @property {boolean} playing
 * @property {number} speed
 * @property {{ value: number, label: string }[]} speeds
 * @property {Piece[]} caption
 * @property {string[]} twin
 * @property {string} said
 * @property {Knob[]} knobs
 * @property {number} settings    says which knobs these are
 * @property {string[]} ahead     fragments that are expected and held ready
 * @property {string} hash        hexadecimal once the run is computed, else ""
 * @property {string} readout
 * @property {Box} readoutBox
 * @property {string} timeText
 * @property {Predict | null} predict
 * @property {string} explain     what the run has shown, with its numbers; "" until it is computed
 * @property {{ do: string, done: boolean, off: boolean }[]} tasks  off: it means nothing with these settings
 * @property {string} idea
 * @property {string} question
 * @property {string[]} costs  what checkpoints have cost up to now; empty without a storage
 * @property {string[] | null} findings  what the run shows at its end; null until it is computed
 * @property {[number, number]} axis   what plot and scrubber show, in s
 * @property {string} pace           of slow motion that holds now, else ""
 * @property {boolean} even
 * @property {"begin" | "end" | "clear"} loop  what repeat does next
 * @property {boolean} zoomed
 * @property {"latency" | "space" | "sweep"} face
 * @property {{ key: string, values: string, done: number, all: number, running: boolean, progress: string }} sweep
 * @property {string} file           what an exported file is called, without its ending
 * @property {boolean} changed
 * @property {string} version        of Flink
 * @property {{ vertices: { name: string, kind: string, subtasks: number, now: string }[], actions: { key: string, at: number, text: string }[] }} acting
 * @property {Lane[]} lanes          of a comparison, else empty
 * @property {string[]} differences
 * @property {string} input
 */
/** @typedef {{ ask: string, choices: string[], chosen: number, right: number, why: string }} Predict  chosen, right: -1 = none */

/** Reads one state after the other. The settings, which are long and rarely change, come only when they have. */
export class States {
  /** @param {() => Lab} lab @param {() => boolean} wanted  whether anybody looks at the settings */
  constructor(lab, wanted = () => true) {
    this.lab = lab;
    this.wanted = wanted;
    this.settings = 0;
    /** @type {Knob[]} */
    this.knobs = [];
  }

  /** @returns {State} */
  next() {
    const state = parse(this.lab().state(this.wanted() ? this.settings : -1));
    if (state.knobs) [this.knobs, this.settings] = [state.knobs, state.settings];
    return { ...state, knobs: this.knobs };
  }
}

/**
 * @template T
 * @param {string} json
 * @returns {T}
 */
export function parse(json) {
  return JSON.parse(json);
}
