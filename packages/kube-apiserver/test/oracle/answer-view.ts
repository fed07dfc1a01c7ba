/**
 * The comparable part of a case's responses. Everything that differs from run to run (versions, times, generated names,
 * allocated addresses) is replaced by a placeholder in angle brackets. These values are collected over the whole case
 * first, since a later message may mention an earlier object.
 */
import type { AnswerView, Step } from './case.ts';
import { parsePath, removeAt, selectPaths, valueAt } from './value-path.ts';

export interface RawAnswer {
  readonly step: Step;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: unknown;
  readonly stream?: string;
}

export interface PlayContext {
  readonly ns: string | undefined;
  readonly id: string;
  /** The case's source: a value that its author chose is kept. */
  readonly source: string;
}

const comparedHeaders = [
  'content-type',
  'content-encoding',
  'warning',
  'location',
  'retry-after',
  'www-authenticate',
  'allow',
  'cache-control',
  'vary',
  'etag',
  'last-modified',
  'deprecation',
];

/** Contain uids, so they are compared only if a step asks for headers. */
const fairnessHeaders = ['x-kubernetes-pf-flowschema-uid', 'x-kubernetes-pf-prioritylevel-uid'];

export function viewAnswers(answers: readonly RawAnswer[], context: PlayContext): AnswerView[] {
  const words = new VaryingWords(context);
  for (const { body } of answers) words.collect(body);
  return answers.map((answer) => viewAnswer(answer, words));
}

function viewAnswer({ step, status, headers, stream, body }: RawAnswer, words: VaryingWords): AnswerView {
  if (step.quiet) return { status };
  const wantsHeaders = step.pick?.some((path) => path.startsWith('@headers')) ?? false;
  const names = wantsHeaders ? [...comparedHeaders, ...fairnessHeaders] : comparedHeaders;
  const root = {
    '@headers': viewHeaders(headers, names, words),
    '@stream': stream,
    body: new BodyView(words).view(body),
  };
  for (const path of step.sort ?? []) sortArray(valueAt(root.body, path));
  if (step.pick !== undefined) {
    const picked = (selectPaths(root, step.pick.map(rootedPath)) ?? {}) as Partial<typeof root>;
    return defined({ status, headers: picked['@headers'], stream, body: picked.body });
  }
  for (const path of step.ignore ?? []) removeAt(root, rootedPath(path));
  return defined({ status, headers: root['@headers'], stream: root['@stream'], body: root.body });
}

const defined = (view: AnswerView): AnswerView =>
  Object.fromEntries(
    Object.entries(view).filter(([, value]) => value !== undefined),
  ) as unknown as AnswerView;

function rootedPath(text: string): readonly string[] {
  const path = parsePath(text);
  return path[0]?.startsWith('@') ? path : ['body', ...path];
}

function sortArray(value: unknown): void {
  if (Array.isArray(value)) value.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function viewHeaders(headers: RawAnswer['headers'], names: readonly string[], words: VaryingWords) {
  const view: Record<string, unknown> = {};
  for (const name of names) {
    const value = headers[name];
    if (value === undefined) continue;
    const values = [value].flat().map((text) => (name === 'etag' ? '<etag>' : words.replaceIn(text)));
    view[name] = values.length === 1 ? values[0] : values;
  }
  return view;
}

const ageColumns = new Set(['Age', 'AGE', 'Duration', 'First Seen', 'Last Schedule', 'Last Seen']);
const agePattern = /^(<invalid>|<unknown>|(\d+[ydhms]){1,2})$/;

class BodyView {
  readonly #words: VaryingWords;
  #columns: readonly { readonly name: string }[] = [];

  constructor(words: VaryingWords) {
    this.#words = words;
  }

  view(value: unknown, key?: string): unknown {
    if (typeof value === 'string') return this.#viewText(value, key);
    if (typeof value === 'number') return isPortField(key) && this.#words.ports.has(value) ? '<port>' : value;
    if (Array.isArray(value)) {
      const items = value.map((item) => this.view(item, key));
      return key === 'managedFields' ? items.sort(byManager) : items;
    }
    return typeof value === 'object' && value !== null
      ? this.#viewObject(value as Record<string, unknown>)
      : value;
  }

  #viewObject(object: Record<string, unknown>): unknown {
    if (Array.isArray(object.columnDefinitions))
      this.#columns = object.columnDefinitions as { name: string }[];
    // Uses entries because a member may be called __proto__.
    const entries = Object.entries(object).map(([key, child]) => [
      this.#words.replaceIn(key),
      this.view(child, key),
    ]);
    const result = Object.fromEntries(entries) as Record<string, unknown>;
    if (Array.isArray(result.columnDefinitions)) {
      for (const column of result.columnDefinitions as { description?: string }[]) {
        if (column?.description) column.description = '<description>';
      }
    }
    if (Array.isArray(object.cells)) {
      result.cells = (result.cells as unknown[]).map((cell, i) => viewCell(cell, this.#columns[i]?.name));
    }
    return result;
  }

  #viewText(text: string, key: string | undefined): unknown {
    if (key === 'resourceVersion' && /^[1-9]\d*$/.test(text)) return '<rv>';
    if (key === 'continue' && text !== '') return '<continue>';
    return this.#words.replaceIn(text);
  }
}

function viewCell(cell: unknown, column: string | undefined): unknown {
  if (typeof cell !== 'string') return cell;
  if (column !== undefined && ageColumns.has(column) && agePattern.test(cell)) return '<age>';
  return cell.replace(/\((?:\d+[ydhms])+ ago\)/, '(<age> ago)');
}

/** The server orders entries by whole seconds, which no replay can reproduce. */
function byManager(a: unknown, b: unknown): number {
  const keyOf = (entry: unknown) => {
    const { operation, manager, apiVersion, subresource } = (entry ?? {}) as Record<string, unknown>;
    return [operation, manager, apiVersion, subresource].join('\0');
  };
  const [left, right] = [keyOf(a), keyOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

const isPortField = (key: string | undefined): boolean => key === 'nodePort' || key === 'healthCheckNodePort';

const nearNowMs = 400 * 86_400_000;

class VaryingWords {
  readonly ports = new Set<number>();
  readonly #context: PlayContext;
  readonly #versions = new Set<string>();
  readonly #names = new Map<string, string>();
  readonly #addresses = new Set<string>();

  constructor(context: PlayContext) {
    this.#context = context;
  }

  /** Collects the values in `value` that the server chose. */
  collect(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.collect(item);
    else if (typeof value === 'object' && value !== null)
      this.#collectObject(value as Record<string, unknown>);
  }

  #collectObject(object: Record<string, unknown>): void {
    const { resourceVersion, generateName, name, clusterIP, clusterIPs, nodePort, healthCheckNodePort } =
      object;
    const { source } = this.#context;
    if (typeof resourceVersion === 'string' && resourceVersion.length > 1)
      this.#versions.add(resourceVersion);
    if (typeof generateName === 'string' && generateName !== '' && typeof name === 'string') {
      if (name.startsWith(generateName) && !source.includes(`"${name}"`))
        this.#names.set(name, `${generateName}<rand>`);
    }
    for (const ip of [clusterIP, ...(Array.isArray(clusterIPs) ? (clusterIPs as unknown[]) : [])]) {
      if (typeof ip === 'string' && /^\d+(\.\d+){3}$/.test(ip) && !mentions(source, ip))
        this.#addresses.add(ip);
    }
    for (const port of [nodePort, healthCheckNodePort]) {
      if (Number.isInteger(port) && !mentions(source, String(port))) this.ports.add(port as number);
    }
    for (const child of Object.values(object)) this.collect(child);
  }

  replaceIn(text: string): string {
    let result = replaceFixedForms(text);
    for (const [name, word] of this.#names) result = result.replaceAll(name, word);
    for (const address of this.#addresses) result = replaceNumber(result, address, '<ip>');
    for (const port of this.ports) result = replaceNumber(result, String(port), '<port>');
    if (this.#context.ns !== undefined) result = result.replaceAll(this.#context.ns, 'NS');
    result = result.replaceAll(this.#context.id, 'ID').replace(/([?&])hash=[0-9A-Fa-f]+/g, '$1hash=<hash>');
    return this.#replaceVersions(result.replace(serverAddress, '<server>'));
  }

  #replaceVersions(text: string): string {
    if (!/\d/.test(text)) return text;
    let result = text
      .replace(/(too old resource version: )\d+ \(\d+\)/, '$1<rv> (<rv>)')
      .replace(/(Too large resource version: \d+, current: )\d+/, '$1<rv>')
      .replace(/(resourceVersion"?: ?"?)\d{2,}/g, '$1<rv>');
    if (!/resource ?version/i.test(text)) return result;
    for (const version of this.#versions) result = replaceNumber(result, version, '<rv>');
    return result;
  }
}

/** The address that `serverAddressByClient` names when the case is played in-process. */
const serverAddress = /(?:127\.0\.0\.1|192\.0\.2\.1):6443\b/g;

const replaceFixedForms = (text: string): string =>
  text
    .replace(/-----BEGIN [A-Z ]+-----[\s\S]*?-----END [A-Z ]+-----\n?/g, '<pem>')
    .replace(/\bLS0tLS1CRUdJTi[A-Za-z0-9+/=]+/g, '<pem>')
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<jwt>')
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uid>')
    .replace(/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g, '<http-date>')
    .replace(/X509SHA256=[0-9a-f]{64}/g, 'X509SHA256=<sha256>')
    .replace(/\b(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, viewTime);

/** Times far from the present were chosen by the case's author. */
function viewTime(match: string, seconds: string, fraction: string | undefined): string {
  if (!(Math.abs(Date.parse(`${seconds}Z`) - Date.now()) < nearNowMs)) return match;
  return fraction === undefined ? '<time>' : `<time.${fraction.length - 1}>`;
}

const wholeNumber = (word: string): RegExp =>
  new RegExp(`(?<![0-9.])${word.replaceAll('.', '\\.')}(?![0-9])`, 'g');

/** Whether the case's author wrote the word, and not only as part of a longer one. */
const mentions = (source: string, word: string): boolean =>
  source.includes(word) && wholeNumber(word).test(source);

function replaceNumber(text: string, word: string, replacement: string): string {
  if (!text.includes(word)) return text;
  return text.replace(wholeNumber(word), replacement);
}
