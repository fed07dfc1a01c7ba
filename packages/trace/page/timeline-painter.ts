/** Paints the visible part of a timeline. */

import { momentText } from '../src/text/durations.ts';
import { shortPath } from '../src/text/short-path.ts';
import { firstEndingAfter, rowBox, undertakingHeight, type Band } from './bands.ts';
import type { Model, Node } from './model.ts';
import type { TimeScale } from './time-scale.ts';

export interface View {
  readonly bands: readonly Band[];
  /** The left edge, along the time axis. */
  readonly from: number;
  readonly width: number;
  readonly top: number;
  readonly marks: Marks;
}

export interface Marks {
  readonly selected?: Node | undefined;
  readonly hovered?: Node | undefined;
  /** Undertakings related to the selected one; all others are dimmed. */
  readonly related?: ReadonlySet<string> | undefined;
  /** Nodes that a search has found; all others are dimmed. */
  readonly found?: ReadonlySet<number> | undefined;
}

const font = '500 11px ui-sans-serif, system-ui, "Segoe UI", "Noto Sans", sans-serif';
const letterWidth = 6.1;
const pale = 0.22;
/** More arrows than this would be unreadable. */
const arrowsMax = 160;
const tickPixels = 110;

export class TimelinePainter {
  readonly headHeight = 26;
  labelWidth = 190;
  plotWidth = 1;
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #model: Model;
  readonly #scale: TimeScale;
  #colours = new Map<string, string>();
  #view!: View;
  /** The vertical positions of undertakings, where arrows begin and end. */
  #tops = new Map<string, number>();
  #bandsOfTops: readonly Band[] | undefined;

  constructor(canvas: HTMLCanvasElement, model: Model, scale: TimeScale) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d')!;
    this.#model = model;
    this.#scale = scale;
  }

  recolour(): void {
    this.#colours.clear();
  }

  paint(view: View): void {
    this.#view = view;
    this.#fitCanvas();
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    this.labelWidth = width < 900 ? 130 : 190;
    this.plotWidth = Math.max(1, width - this.labelWidth);
    const context = this.#context;
    context.clearRect(0, 0, width, height);
    context.font = font;
    context.textBaseline = 'middle';
    this.#noteTops();
    this.#clipped(this.labelWidth, 0, this.plotWidth, height, () => this.#paintTicks(height));
    this.#clipped(this.labelWidth, this.headHeight, this.plotWidth, height - this.headHeight, () => {
      this.#paintArrows();
      for (const band of view.bands) this.#paintBand(band, height);
    });
    this.#clipped(0, this.headHeight, this.labelWidth, height - this.headHeight, () => this.#paintLabels());
  }

  #fitCanvas(): void {
    const { clientWidth, clientHeight } = this.#canvas;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  #clipped(x: number, y: number, width: number, height: number, paint: () => void): void {
    this.#context.save();
    this.#context.beginPath();
    this.#context.rect(x, y, width, height);
    this.#context.clip();
    paint();
    this.#context.restore();
  }

  #colour(name: string): string {
    let colour = this.#colours.get(name);
    if (colour === undefined) {
      colour = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
      this.#colours.set(name, colour);
    }
    return colour;
  }

  #x(moment: number): number {
    return (
      this.labelWidth + ((this.#scale.along(moment) - this.#view.from) / this.#view.width) * this.plotWidth
    );
  }

  #y(top: number): number {
    return top - this.#view.top + this.headHeight;
  }

  #paintTicks(height: number): void {
    const context = this.#context;
    const { from, width } = this.#view;
    context.fillStyle = this.#colour('gap');
    for (const gap of this.#scale.gaps) {
      const [left, right] = [this.#x(gap.fromNs), this.#x(gap.toNs)];
      context.fillRect(left, this.headHeight, Math.max(1, right - left), height);
    }
    const step = roundedUp((width / this.plotWidth) * tickPixels);
    const first = this.#roundedDown(this.#scale.moment(from), step);
    const last = this.#scale.moment(from + width);
    let reached = -Infinity;
    for (let moment = first, count = 0; moment <= last && count < 2000; moment += step, count++) {
      const x = this.#x(moment);
      const past = this.#pastGap(moment, step);
      if (x - reached < tickPixels * 0.7 || past !== undefined) {
        moment = past ?? moment;
        continue;
      }
      reached = x;
      context.fillStyle = this.#colour('line');
      context.fillRect(Math.round(x), this.headHeight, 1, height);
      context.fillStyle = this.#colour('dim');
      context.fillText(momentText(moment - this.#model.startNs), x + 5, this.headHeight / 2);
    }
  }

  /** The last round time within the gap that contains this time. */
  #pastGap(moment: number, step: number): number | undefined {
    const gap = this.#scale.gaps.find(({ fromNs, toNs }) => moment >= fromNs && moment < toNs);
    return gap && Math.max(moment, this.#roundedDown(gap.toNs, step));
  }

  /** Rounds relative to the beginning of the recording, as times are displayed. */
  #roundedDown(moment: number, step: number): number {
    const { startNs } = this.#model;
    return startNs + Math.floor((moment - startNs) / step) * step;
  }

  #paintLabels(): void {
    const context = this.#context;
    context.fillStyle = this.#colour('surface');
    context.fillRect(0, 0, this.labelWidth, this.#canvas.clientHeight);
    for (const { name, top, lanes } of this.#view.bands) {
      const y = this.#y(top);
      const kind = lanes[0]?.rows[0]?.[0]?.undertaking.kind ?? 'request';
      context.fillStyle = this.#colour(`kind-${kind}`);
      context.beginPath();
      context.roundRect(14, y + 5, 10, 10, 3);
      context.fill();
      context.fillStyle = this.#colour('text');
      const room = Math.floor((this.labelWidth - 42) / letterWidth);
      const label = name.length > room ? `${name.slice(0, room - 1)}…` : name;
      context.fillText(label, 32, y + undertakingHeight / 2 + 0.5);
    }
  }

  #paintBand({ lanes, top, height }: Band, visible: number): void {
    const context = this.#context;
    const y = this.#y(top);
    if (y + height < this.headHeight || y > visible) return;
    context.fillStyle = this.#colour('line');
    context.fillRect(0, Math.round(y + height + 6), this.#canvas.clientWidth, 1);
    for (const lane of lanes)
      for (const [depth, nodes] of lane.rows.entries()) this.#paintRow(nodes ?? [], lane.top, depth);
  }

  #paintRow(nodes: readonly Node[], laneTop: number, depth: number): void {
    const { from, width } = this.#view;
    const { top, height } = rowBox(laneTop, depth);
    const until = this.#scale.moment(from + width);
    let painted = -Infinity;
    for (let at = firstEndingAfter(nodes, this.#scale.moment(from)); at < nodes.length; at++) {
      const node = nodes[at]!;
      if (node.span.startNs > until) break;
      const left = this.#x(node.span.startNs);
      const right = Math.max(this.#x(node.endNs), left + 1.5);
      // A bar narrower than a pixel would be invisible beside those already painted.
      if (right < painted + 0.5) continue;
      this.#paintBar(node, { left, right, top: this.#y(top), height: height - (depth === 0 ? 0 : 1) });
      painted = right;
    }
  }

  #paintBar(node: Node, box: { left: number; right: number; top: number; height: number }): void {
    const context = this.#context;
    const { marks } = this.#view;
    const { left, right, top, height } = box;
    const width = right - left;
    const isUndertaking = node.step === undefined;
    const isBad = node.span.failure !== undefined;
    const isPale = this.#isPale(node);
    context.globalAlpha = isPale ? pale : 1;
    const name = isBad ? 'bad' : `kind-${node.undertaking.kind}`;
    context.fillStyle = this.#colour(isUndertaking ? name : node.isFilter ? 'filter' : `${name}-soft`);
    context.beginPath();
    context.roundRect(
      left,
      top,
      Math.max(1, width - 0.5),
      height,
      Math.min(isUndertaking ? 4 : 2, width / 2),
    );
    context.fill();
    if (node === marks.selected || node === marks.hovered) {
      context.lineWidth = node === marks.selected ? 2 : 1;
      context.strokeStyle = this.#colour('text');
      context.stroke();
    }
    const shownLeft = Math.max(left, this.labelWidth);
    const letters = Math.floor((Math.min(right, this.#canvas.clientWidth) - shownLeft - 10) / letterWidth);
    if (letters >= 3) {
      const { name: whole } = node.span;
      const text = whole.length > letters ? shortPath(whole).replace('…/', '') : whole;
      context.globalAlpha = 1;
      context.fillStyle = this.#colour(isPale ? 'dim' : isUndertaking ? 'on-kind' : 'text');
      context.fillText(
        text.length > letters ? `${text.slice(0, letters - 1)}…` : text,
        shownLeft + 5,
        top + height / 2 + 0.5,
      );
    }
    context.globalAlpha = 1;
  }

  #isPale({ id, undertaking }: Node): boolean {
    const { related, found } = this.#view.marks;
    if (found !== undefined) return !found.has(id);
    return related !== undefined && !related.has(undertaking.id);
  }

  #noteTops(): void {
    if (this.#bandsOfTops === this.#view.bands) return;
    this.#bandsOfTops = this.#view.bands;
    this.#tops.clear();
    for (const { lanes } of this.#view.bands)
      for (const { top, rows } of lanes)
        for (const node of rows[0] ?? []) this.#tops.set(node.undertaking.id, top);
  }

  #paintArrows(): void {
    const { related } = this.#view.marks;
    const { undertakings, ofUndertaking } = this.#model;
    if (related === undefined && undertakings.length > arrowsMax) return;
    for (const effect of undertakings) {
      if (related !== undefined && !related.has(effect.undertaking.id)) continue;
      for (const from of effect.undertaking.causes) {
        const cause = ofUndertaking.get(from);
        if (cause !== undefined && related?.has(from) !== false)
          this.#paintArrow(cause, effect, this.#isNear(cause) || this.#isNear(effect));
      }
    }
  }

  /** Reports whether the selected step belongs to the undertaking of this node. */
  #isNear({ undertaking }: Node): boolean {
    return undertaking === this.#view.marks.selected?.undertaking;
  }

  #paintArrow(cause: Node, effect: Node, isStrong: boolean): void {
    const context = this.#context;
    const [startTop, endTop] = [this.#tops.get(cause.undertaking.id), this.#tops.get(effect.undertaking.id)];
    if (startTop === undefined || endTop === undefined) return;
    const x1 = this.#x(Math.min(effect.span.startNs, cause.endNs));
    const x2 = this.#x(effect.span.startNs);
    const isDown = endTop > startTop;
    const y1 = this.#y(startTop) + (isDown ? undertakingHeight : 0);
    const y2 = this.#y(endTop) + (isDown ? 0 : undertakingHeight);
    if (Math.max(x1, x2) < this.labelWidth || Math.min(x1, x2) > this.#canvas.clientWidth) return;
    const bend = Math.max(14, Math.min(60, Math.abs(y2 - y1) / 2));
    context.globalAlpha = isStrong ? 0.9 : 0.35;
    context.strokeStyle = this.#colour(isStrong ? 'accent' : 'dim');
    context.fillStyle = context.strokeStyle;
    context.lineWidth = isStrong ? 1.4 : 1;
    context.beginPath();
    context.moveTo(x1, y1);
    context.bezierCurveTo(x1, y1 + (isDown ? bend : -bend), x2, y2 - (isDown ? bend : -bend), x2, y2);
    context.stroke();
    context.beginPath();
    context.moveTo(x2, y2);
    context.lineTo(x2 - 3, y2 - (isDown ? 5 : -5));
    context.lineTo(x2 + 3, y2 - (isDown ? 5 : -5));
    context.fill();
    context.globalAlpha = 1;
  }
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function roundedUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10);
}
