/** The timeline: components from top to bottom, time from left to right, arrows from causes to effects. */

import { durationText } from '../src/text/durations.ts';
import { barAt, fittingBands, type Band } from './bands.ts';
import { byId } from './elements.ts';
import { bandOf, momentsOf, type Model, type Node } from './model.ts';
import { TimelinePainter, type Marks } from './timeline-painter.ts';
import { TimeScale } from './time-scale.ts';

export interface TimelineEvents {
  readonly onSelect: (node: Node | undefined) => void;
}

const zoomMax = 1e7;
const wheelZoom = 1.0016;
/** The pointer hits a thin bar within this many pixels. */
const slackPixels = 4;
const dragPixelsMin = 4;

export class Timeline {
  readonly #canvas = byId<HTMLCanvasElement>('timeline');
  readonly #hint = byId('hint');
  readonly #model: Model;
  readonly #scale: TimeScale;
  readonly #painter: TimelinePainter;
  readonly #events: TimelineEvents;
  readonly #depths = new Map<string, number>();
  #bands: readonly Band[] = [];
  /** The visible part of the time axis. */
  #from = 0;
  #width: number;
  #top = 0;
  #marks: Marks = {};
  #isAsked = false;

  constructor(model: Model, events: TimelineEvents) {
    this.#model = model;
    this.#events = events;
    this.#scale = new TimeScale(momentsOf(model), model.startNs, model.endNs);
    this.#width = this.#scale.length;
    this.#painter = new TimelinePainter(this.#canvas, model, this.#scale);
    this.fit();
    this.#listen();
    new ResizeObserver(() => this.#layOut()).observe(this.#canvas.parentElement!);
  }

  mark(marks: Marks): void {
    this.#marks = marks;
    this.draw();
  }

  /** Shows everything, with a small margin. */
  fit(): void {
    this.#show(-this.#scale.length * 0.01, this.#scale.length * 1.02);
  }

  /** Shows the whole node and some of its surroundings. */
  zoomTo(node: Node): void {
    const from = this.#scale.along(node.span.startNs);
    const width = Math.max(this.#scale.along(node.endNs) - from, this.#scale.length / zoomMax);
    this.#show(from - width * 0.15, width * 1.3);
    this.reveal(node);
  }

  zoom(factor: number, atPart = 0.5): void {
    const width = this.#width * factor;
    this.#show(this.#from + (this.#width - width) * atPart, width);
  }

  pan(part: number): void {
    this.#show(this.#from + this.#width * part, this.#width);
  }

  /** Scrolls until the node is visible. */
  reveal(node: Node): void {
    const from = this.#scale.along(node.span.startNs);
    if (from < this.#from || from > this.#from + this.#width * 0.95)
      this.#show(from - this.#width * 0.2, this.#width);
    const band = this.#bands.find(({ name }) => name === bandOf(node.undertaking));
    if (band === undefined) return;
    const height = this.#canvas.clientHeight - this.#painter.headHeight;
    if (band.top < this.#top || band.top + Math.min(band.height, height) > this.#top + height)
      this.#scrollTo(band.top - 12);
    this.draw();
  }

  /** Must be called when the colours of the page have changed. */
  recolour(): void {
    this.#painter.recolour();
    this.draw();
  }

  draw(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    requestAnimationFrame(() => {
      this.#isAsked = false;
      this.#scrollTo(this.#top);
      this.#painter.paint({
        bands: this.#bands,
        from: this.#from,
        width: this.#width,
        top: this.#top,
        marks: this.#marks,
      });
    });
  }

  #show(from: number, width: number): void {
    const all = this.#scale.length;
    this.#width = Math.min(Math.max(width, all / zoomMax), all * 1.02);
    this.#from = Math.min(Math.max(from, -all * 0.01), all * 1.01 - this.#width);
    this.draw();
  }

  #scrollTo(top: number): void {
    const last = this.#bands.at(-1);
    const height = (last === undefined ? 0 : last.top + last.height + 8) + this.#painter.headHeight;
    this.#top = Math.max(0, Math.min(top, height - this.#canvas.clientHeight));
  }

  #listen(): void {
    const canvas = this.#canvas;
    canvas.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener('pointerdown', (event) => this.#press(event));
    canvas.addEventListener('pointermove', (event) => this.#point(event));
    canvas.addEventListener('pointerleave', () => this.#hover(undefined));
    canvas.addEventListener('dblclick', (event) => {
      const node = this.#nodeAt(event.offsetX, event.offsetY);
      if (node === undefined) this.fit();
      else this.zoomTo(node);
    });
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      this.pan(event.deltaX / this.#painter.plotWidth);
    } else if (event.shiftKey || event.offsetX < this.#painter.labelWidth) {
      this.#scrollTo(this.#top + event.deltaY);
      this.draw();
    } else this.zoom(wheelZoom ** event.deltaY, this.#partAt(event.offsetX));
  }

  #press(event: PointerEvent): void {
    const { offsetX, offsetY, clientX, clientY } = event;
    if (offsetX < this.#painter.labelWidth) {
      this.#toggleDepth(offsetY);
      return;
    }
    const [from, top] = [this.#from, this.#top];
    let isDrag = false;
    const move = (moved: PointerEvent) => {
      const [x, y] = [moved.clientX - clientX, moved.clientY - clientY];
      isDrag ||= Math.hypot(x, y) > dragPixelsMin;
      if (!isDrag) return;
      this.#scrollTo(top - y);
      this.#show(from - (x / this.#painter.plotWidth) * this.#width, this.#width);
    };
    const release = () => {
      this.#canvas.removeEventListener('pointermove', move);
      if (!isDrag) this.#events.onSelect(this.#nodeAt(offsetX, offsetY));
    };
    this.#canvas.setPointerCapture(event.pointerId);
    this.#canvas.addEventListener('pointermove', move);
    this.#canvas.addEventListener('pointerup', release, { once: true });
  }

  #layOut(): void {
    this.#bands = fittingBands(
      this.#model,
      this.#depths,
      this.#canvas.clientHeight - this.#painter.headHeight,
    );
    this.draw();
  }

  /** Cycles a component through all steps, no steps, and the default depth. */
  #toggleDepth(y: number): void {
    const at = y - this.#painter.headHeight + this.#top;
    const band = this.#bands.find(({ top, height }) => at >= top && at < top + height);
    if (band === undefined) return;
    const now = this.#depths.get(band.name);
    if (now === undefined) this.#depths.set(band.name, Infinity);
    else if (now === Infinity) this.#depths.set(band.name, 0);
    else this.#depths.delete(band.name);
    this.#layOut();
  }

  #point(event: PointerEvent): void {
    const node = this.#nodeAt(event.offsetX, event.offsetY);
    this.#hover(node);
    this.#canvas.style.cursor =
      node !== undefined || event.offsetX < this.#painter.labelWidth ? 'pointer' : 'default';
    if (node === undefined) return;
    const { clientWidth } = this.#canvas;
    this.#hint.style.left = `${Math.min(event.offsetX + 14, clientWidth - this.#hint.offsetWidth - 8)}px`;
    this.#hint.style.top = `${event.offsetY + 18}px`;
  }

  #hover(node: Node | undefined): void {
    if (node === this.#marks.hovered) return;
    this.#marks = { ...this.#marks, hovered: node };
    this.#hint.hidden = node === undefined;
    if (node !== undefined)
      this.#hint.textContent = `${node.span.name}  ${durationText(node.span.durationNs)}`;
    this.draw();
  }

  #partAt(x: number): number {
    return (x - this.#painter.labelWidth) / this.#painter.plotWidth;
  }

  #nodeAt(x: number, y: number): Node | undefined {
    if (x < this.#painter.labelWidth || y < this.#painter.headHeight) return undefined;
    const along = this.#from + this.#partAt(x) * this.#width;
    const moment = this.#scale.moment(along);
    const slack = this.#scale.moment(along + (slackPixels / this.#painter.plotWidth) * this.#width) - moment;
    return barAt(this.#bands, y - this.#painter.headHeight + this.#top, moment, slack)?.node;
  }
}
