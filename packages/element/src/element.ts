/** `<coxswain-cluster>` as the page loads it. Everything else is loaded when the element first becomes visible. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import xtermCss from '@xterm/xterm/css/xterm.css';
import ownCss from './element.css';
import type { Files } from './session.ts';
import type { Mounted } from './mount.tsx';
import { wordsIn } from './words.ts';

/** The cluster starts shortly before the element becomes visible. */
const startMargin = '200px';

class CoxswainCluster extends HTMLElement {
  static readonly observedAttributes = ['speed'];

  #mounted: Promise<Mounted> | undefined;
  #seen: IntersectionObserver | undefined;

  connectedCallback(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    // Keys typed here must not trigger shortcuts of the page, which cannot see that they go to a text field.
    root.addEventListener('keydown', keepFromPage);
    if (this.#sharedText !== undefined) this.scrollIntoView({ block: 'center' });
    root.adoptedStyleSheets = [sheetOf(xtermCss), sheetOf(ownCss)];
    this.#seen = new IntersectionObserver((entries) => this.#see(entries.at(-1)!.isIntersecting), {
      rootMargin: startMargin,
    });
    this.#seen.observe(this);
  }

  disconnectedCallback(): void {
    this.#seen?.disconnect();
    const mounted = this.#mounted;
    this.#mounted = undefined;
    whenFulfilled(mounted, ({ stop }) => detach(stop()));
  }

  attributeChangedCallback(): void {
    whenFulfilled(this.#mounted, ({ setSpeed }) => setSpeed(speedOf(this)));
  }

  /** Time is paused while the element is not visible. */
  #see(isSeen: boolean): void {
    if (isSeen && this.#mounted === undefined) {
      this.#mounted = this.#mount();
      this.#mounted.catch(reportError);
    }
    whenFulfilled(this.#mounted, ({ setSeen }) => setSeen(isSeen));
  }

  async #mount(): Promise<Mounted> {
    const { mount } = await import('./mount.tsx');
    return mount(this, this.shadowRoot!, {
      files: filesOf(this),
      words: wordsIn(this.closest('[lang]')?.getAttribute('lang') ?? ''),
      steps: linesOf(textOf(this, 'steps')),
      autorun: linesOf(textOf(this, 'autorun')),
      checks: linesOf(textOf(this, 'checks')),
      seed: numberOf(this, 'seed', 1),
      nodes: numberOf(this, 'nodes', 2),
      speed: speedOf(this),
      isReadonly: this.hasAttribute('readonly'),
      linkKey: this.#linkKey,
      sharedText: this.#sharedText,
      keptAs: this.hasAttribute('kept') ? `coxswain ${location.pathname} ${this.id}` : undefined,
    });
  }

  get #linkKey(): string | undefined {
    return this.hasAttribute('shareable') ? `coxswain${this.id && `-${this.id}`}` : undefined;
  }

  get #sharedText(): string | undefined {
    return this.#linkKey && partOf(location.hash, this.#linkKey);
  }
}

function keepFromPage(event: Event): void {
  const [target] = event.composedPath();
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) event.stopPropagation();
}

/** `#name=text`; several parameters are joined by `&`. */
const partOf = (hash: string, name: string): string | undefined =>
  hash
    .slice(1)
    .split('&')
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** The attribute, or a `<script type="text/plain" slot="manifest">` within the element. */
const textOf = (element: Element, name: string): string =>
  element.getAttribute(name) ?? element.querySelector(`script[slot=${name}]`)?.textContent ?? '';

/**
 * `manifest.yaml`, and children with `slot="file" title="web.yaml"`: a `<script type="text/plain">` or a `<pre
 * hidden>`.
 */
function filesOf(element: Element): Files {
  const manifest = textOf(element, 'manifest');
  const named = [...element.querySelectorAll<HTMLElement>('[slot=file][title]')];
  return {
    ...(manifest.trim() !== '' && { 'manifest.yaml': manifest }),
    ...Object.fromEntries(named.map(({ title, textContent }) => [title, textContent])),
  };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

function numberOf(element: Element, name: string, usual: number): number {
  const text = element.getAttribute(name);
  const value = text === null || text.trim() === '' ? usual : Number(text);
  return Number.isFinite(value) && value >= 0 ? value : usual;
}

const speedOf = (element: Element): number => numberOf(element, 'speed', 1);

const sheets = new Map<string, CSSStyleSheet>();

function sheetOf(text: string): CSSStyleSheet {
  const known = sheets.get(text);
  if (known !== undefined) return known;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  sheets.set(text, sheet);
  return sheet;
}

if (customElements.get('coxswain-cluster') === undefined)
  customElements.define('coxswain-cluster', CoxswainCluster);
