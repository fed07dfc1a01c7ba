/** The page. The selection is shared by the timeline, the tree and the details. */

import { parseRecording } from '../src/recording.ts';
import { counted } from '../src/text/counts.ts';
import { Details } from './details.ts';
import { button, byId, element } from './elements.ts';
import { modelOf, related, type Model, type Node } from './model.ts';
import { Search } from './search.ts';
import { Timeline } from './timeline.ts';
import { Tree } from './tree.ts';

const searchDelayMs = 120;
const panPart = 0.15;
const zoomFactor = 0.7;

function start(): void {
  const recording = parseRecording(byId('recording').textContent);
  const model = modelOf(recording);
  let selected: Node | undefined;
  let found: ReadonlySet<number> | undefined;
  const select = (node: Node | undefined) => {
    selected = node;
    mark();
    tree.select(node);
    details.show(node);
    if (node !== undefined) timeline.reveal(node);
    history.replaceState(undefined, '', node === undefined ? ' ' : `#${node.id}`);
  };
  const mark = () => {
    const all = selected && !found ? related(model, selected) : undefined;
    // What is related to nothing is told apart by its frame.
    timeline.mark({ selected, found, related: all !== undefined && all.size > 1 ? all : undefined });
  };
  const timeline = new Timeline(model, { onSelect: select });
  const tree = new Tree(model, select);
  const details = new Details(model, select);

  writeHead(model);
  onSearch(model, (result) => {
    found = result;
    mark();
    tree.show(result);
  });
  onKeys({
    ArrowDown: () => tree.step(1),
    j: () => tree.step(1),
    ArrowUp: () => tree.step(-1),
    k: () => tree.step(-1),
    ArrowRight: () => tree.open(true),
    ArrowLeft: () => tree.open(false),
    w: () => timeline.zoom(zoomFactor),
    s: () => timeline.zoom(1 / zoomFactor),
    a: () => timeline.pan(-panPart),
    d: () => timeline.pan(panPart),
    f: () => selected && timeline.zoomTo(selected),
    0: () => timeline.fit(),
    e: () => tree.toggleAll(true),
    c: () => tree.toggleAll(false),
    '/': () => byId<HTMLInputElement>('search').focus(),
    '?': () => byId<HTMLDialogElement>('help').showModal(),
    Escape: () => select(undefined),
  });
  onTheme(() => timeline.recolour());
  onDivider(() => timeline.draw());
  byId('fit').addEventListener('click', () => timeline.fit());
  byId('keys').addEventListener('click', () => byId<HTMLDialogElement>('help').showModal());
  select(model.nodes[Number(location.hash.slice(1) || Number.NaN)] ?? model.undertakings[0]);
}

function writeHead({ recording, nodes, undertakings }: Model): void {
  const [first] = undertakings;
  const title = first?.undertaking.name ?? 'Nothing was recorded';
  byId('title').textContent = title;
  document.title = `${title} · Coxswain`;
  const steps = nodes.length - undertakings.length;
  const dropped = recording.droppedSteps ?? 0;
  byId('counts').append(
    `${counted(undertakings.length, 'undertaking')} · ${counted(steps, 'step')}`,
    dropped > 0 ? element('span', 'failure', ` · ${dropped.toLocaleString()} more did not fit`) : '',
  );
}

function onSearch(model: Model, show: (found: ReadonlySet<number> | undefined) => void): void {
  const search = new Search(model);
  const field = byId<HTMLInputElement>('search');
  let timer = 0;
  const look = () => {
    const found = search.find(field.value);
    byId('found').textContent = found === undefined ? '' : found.size.toLocaleString();
    show(found);
  };
  field.addEventListener('input', () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(look, searchDelayMs);
  });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      field.value = '';
      look();
    }
    if (event.key === 'Escape' || event.key === 'Enter') field.blur();
    event.stopPropagation();
  });
}

function onKeys(actions: Readonly<Record<string, () => void>>): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

/** Follows the system's theme until the user chooses one. */
function onTheme(changed: () => void): void {
  const root = document.documentElement;
  const isDark = matchMedia('(prefers-color-scheme: dark)');
  const toggle = button(
    'icon',
    () => {
      const dark = root.dataset['theme'] === undefined ? isDark.matches : root.dataset['theme'] === 'dark';
      root.dataset['theme'] = dark ? 'light' : 'dark';
      changed();
    },
    '◐',
  );
  toggle.title = 'Light or dark';
  byId('tools').append(toggle);
  isDark.addEventListener('change', changed);
}

/** Lets the user drag the line between timeline and tree. */
function onDivider(moved: () => void): void {
  const divider = byId('divider');
  divider.addEventListener('pointerdown', (event) => {
    divider.setPointerCapture(event.pointerId);
    const move = ({ clientY }: PointerEvent) => {
      const top = byId('stage').getBoundingClientRect().top;
      const part = Math.min(85, Math.max(12, ((clientY - top) / (innerHeight - top)) * 100));
      document.documentElement.style.setProperty('--split', `${part}%`);
      moved();
    };
    divider.addEventListener('pointermove', move);
    divider.addEventListener('pointerup', () => divider.removeEventListener('pointermove', move), {
      once: true,
    });
  });
}

start();
// For measurements of how long the page took to load.
document.documentElement.dataset['readyMs'] = performance.now().toFixed(0);
