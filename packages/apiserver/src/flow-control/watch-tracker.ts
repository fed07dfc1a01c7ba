/** How many watches are open, by what they are of: what a change costs depends on who has to be told. */
import type { ApiRequest } from '../http/api-request.ts';
import type { RequestInfo } from '../request-info.ts';

/** Watches of these are found by this field; those for one of its values hear of few changes and are not counted. */
const indexedFields: ReadonlyMap<string, string> = new Map([['pods', 'spec.nodeName']]);

const changingVerbs: ReadonlySet<string> = new Set([
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
]);

export class WatchTracker {
  readonly #counts = new Map<string, number>();

  /** Returns what to call once when the watch ends. */
  register(request: ApiRequest): () => void {
    const { info } = request;
    if (selectsByIndex(request)) return doNothing;
    const key = keyOf(info, info.namespace, info.name);
    this.#add(key, 1);
    return () => this.#add(key, -1);
  }

  /** Watches of the whole resource, of the namespace, and of the object. */
  interestedIn(info: RequestInfo): number {
    const { namespace, name, verb } = info;
    if (this.#counts.size === 0 || !changingVerbs.has(verb)) return 0;
    let sum = this.#of(keyOf(info, '', ''));
    if (namespace !== '') sum += this.#of(keyOf(info, namespace, ''));
    if (name !== '') sum += this.#of(keyOf(info, namespace, name));
    return sum;
  }

  #of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  #add(key: string, change: 1 | -1): void {
    const count = this.#of(key) + change;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}

const doNothing = () => undefined;

const keyOf = ({ group, resource }: RequestInfo, namespace: string, name: string): string =>
  `${group}/${resource}/${namespace}/${name}`;

/** Whether it is only of one value, and not of the empty one. */
function selectsByIndex({ info, parameters, hasQuery }: ApiRequest): boolean {
  const field = indexedFields.get(info.resource);
  if (field === undefined || !hasQuery) return false;
  const selector = parameters.get('fieldSelector') ?? '';
  return selector.split(',').some((requirement) => {
    const [name = '', value = ''] = requirement.split(/==?/);
    return name.trim() === field && value.trim() !== '';
  });
}
