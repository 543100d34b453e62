// The program's frames and its clock, in a frame of its own (stage-boot.js) as in an element of a page (embed/room.js).
// @ts-check

const atOnce = 2; // an answer of the program's tick: it only computes, and lets in whatever else has happened

export class Frames {
  /**
   * @param {(now: number) => number} tick  of the program; answers when the next one is wanted: 0 = not at all, 1 = with the next frame, 2 = at once
   * @param {() => boolean} [fits]  whether the canvas is as large as its place
   */
  constructor(tick, fits = () => true) {
    this.tick = tick;
    this.fits = fits;
    this.next = requestAnimationFrame.bind(globalThis); // kept: the program may be given ask in its place
    /** @type {FrameRequestCallback | null} what Ebitengine wants called at its next frame */
    this.turn = null;
    this.wanted = this.asked = this.closed = false;
    this.computing = new MessageChannel();
    this.computing.port1.onmessage = () => this.step(performance.now());
  }

  // Ebitengine asks for every frame of the screen, also when it has nothing to draw. It gets one when a picture is wanted.
  /** @param {FrameRequestCallback} f */
  ask(f) {
    this.turn = f;
    if (this.wanted) this.next(() => this.draw());
    return 0;
  }

  // draw gives Ebitengine its next frame now, and the screen shows it with its own next one. In a tab that is not shown it waits for
  // that, and so it does as long as the canvas has not followed its place's size: Firefox tells of a resize only then, and setting
  // the canvas' size loses what was drawn. If Ebitengine does not ask for a frame yet, it gets it after it has.
  draw() {
    const f = this.turn;
    this.wanted = !f;
    this.turn = null;
    if (!f || this.closed) return;
    if (document.hidden || !this.fits()) this.next(f);
    else f(performance.now());
  }

  // wake asks for one tick; ticks ask for the next as long as there is something to do, so an idle lab costs nothing.
  wake(when = 1) {
    if (this.asked || this.closed) return;
    this.asked = true;
    if (when === atOnce) this.computing.port2.postMessage(null);
    else this.next((now) => this.step(now));
  }

  /** @param {number} now */
  step(now) {
    this.asked = false;
    const next = this.closed ? 0 : this.tick(now);
    if (next) this.wake(next);
  }

  /** Nothing is drawn or woken any more. */
  close() {
    this.closed = true;
    this.turn = null;
    this.computing.port1.close();
  }
}
