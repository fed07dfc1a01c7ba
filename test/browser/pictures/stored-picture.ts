/**
 * Pictures of the page that are kept, and compared with what it looks like now. A kept one is small; both are compared
 * cell by cell, by the mean colour of each, so that a glyph drawn a little differently is no difference.
 */

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CDPSession, Page } from 'playwright-core';

const directory = path.join(import.meta.dirname, 'stored');
/** Where those that differ are put, whole. */
export const actualDirectory = path.join(import.meta.dirname, 'actual');

/** `npm run pictures` rewrites them. */
const isWriting = process.env['PICTURES'] === 'write';

/** What is kept of a picture's width and height. */
const scale = { 390: 0.5, 1280: 0.5, 3840: 0.25 } as const;
export type Width = keyof typeof scale;

const quality = 70;
const settlesMs = 80;
const triesMax = 20;
const cellPx = 8;
/** Of a colour's 255, and how many cells may be further off: text that is antialiased another way. */
const colourMax = 14;
const cellsMax = 6;

export class Pictures {
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #comparing: Page;

  /** @param comparing a page with nothing in it, whose browser decodes the pictures */
  constructor(page: Page, session: CDPSession, comparing: Page) {
    this.#page = page;
    this.#session = session;
    this.#comparing = comparing;
  }

  /** What differs from the stored picture, in words; undefined if nothing does. @param name `full-time-dark-1280` */
  async differs(name: string, width: Width): Promise<string | undefined> {
    const file = path.join(directory, `${name}.webp`);
    const now = await this.#take(width);
    if (isWriting) {
      await mkdir(directory, { recursive: true });
      await writeFile(file, Buffer.from(now, 'base64'));
    }
    const kept = await readFile(file, 'base64').catch(() => undefined);
    const difference = kept === undefined ? 'there is no stored picture' : await this.#difference(kept, now);
    const actual = path.join(actualDirectory, `${name}.png`);
    await rm(actual, { force: true });
    if (difference === undefined && !isWriting) return undefined;
    await this.#page.screenshot({ path: actual });
    return difference && `${name}: ${difference}; how it looks now: ${path.relative(process.cwd(), actual)}`;
  }

  /** As soon as it looks the same twice. */
  async #take(width: Width): Promise<string> {
    let before = await this.#capture(width);
    for (let tries = 0; tries < triesMax; tries++) {
      await this.#page.waitForTimeout(settlesMs);
      const now = await this.#capture(width);
      if (now === before) break;
      before = now;
    }
    return before;
  }

  async #capture(width: Width): Promise<string> {
    const viewport = this.#page.viewportSize()!;
    const clip = { x: 0, y: 0, ...viewport, scale: scale[width] };
    return (await this.#session.send('Page.captureScreenshot', { format: 'webp', quality, clip })).data;
  }

  async #difference(kept: string, now: string): Promise<string | undefined> {
    const cells = await this.#comparing.evaluate(differingCells, { kept, now, cellPx, colourMax });
    if (typeof cells === 'string') return cells;
    if (cells.length <= cellsMax) return undefined;
    const [first] = cells;
    return `${cells.length} parts of ${cellPx} × ${cellPx} px differ, the first at ${first!.x}, ${first!.y} of the stored picture`;
  }
}

/** Of the browser, whose types tests do not have. */
declare const createImageBitmap: (blob: Blob) => Promise<{ readonly width: number; readonly height: number }>;
declare const OffscreenCanvas: new (
  width: number,
  height: number,
) => {
  getContext(kind: '2d'): {
    drawImage(image: unknown, x: number, y: number): void;
    getImageData(
      x: number,
      y: number,
      width: number,
      height: number,
    ): { readonly width: number; readonly height: number; readonly data: Uint8ClampedArray };
  };
};

interface Compared {
  readonly kept: string;
  readonly now: string;
  readonly cellPx: number;
  readonly colourMax: number;
}

/** Runs in a page, so that it names nothing outside of itself. */
async function differingCells({
  kept,
  now,
  cellPx,
  colourMax,
}: Compared): Promise<string | readonly { readonly x: number; readonly y: number }[]> {
  const pixels = async (base64: string) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/webp' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, bitmap.width, bitmap.height);
  };
  const [one, other] = await Promise.all([pixels(kept), pixels(now)]);
  if (one.width !== other.width || one.height !== other.height)
    return `it has ${other.width} × ${other.height} px in place of ${one.width} × ${one.height}`;
  const differing: { x: number; y: number }[] = [];
  for (let y = 0; y < one.height; y += cellPx)
    for (let x = 0; x < one.width; x += cellPx) {
      const off = [0, 0, 0];
      let count = 0;
      for (let row = y; row < Math.min(y + cellPx, one.height); row++)
        for (let column = x; column < Math.min(x + cellPx, one.width); column++, count++)
          for (const channel of [0, 1, 2]) {
            const at = (row * one.width + column) * 4 + channel;
            off[channel]! += one.data[at]! - other.data[at]!;
          }
      if (off.some((sum) => Math.abs(sum / count) > colourMax)) differing.push({ x, y });
    }
  return differing;
}
