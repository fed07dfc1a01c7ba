/** Counts open watches by what they select: the cost of a write depends on how many watches receive its event. */
import type { ApiRequest } from '../http/api-request.ts';
import type { RequestInfo } from '../request-info.ts';

/** Watches of these resources are indexed by this field; those for one value receive few events and are not counted. */
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

  /** Registers a watch. Returns a function to call once when it ends. */
  register(request: ApiRequest): () => void {
    const { info } = request;
    if (selectsByIndex(request)) return doNothing;
    const key = keyOf(info, info.namespace, info.name);
    this.#add(key, 1);
    return () => this.#add(key, -1);
  }

  /** Counts watches of the whole resource, of the namespace, and of the object. */
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

/** Whether the watch selects a single, non-empty value of the indexed field. */
function selectsByIndex({ info, parameters, hasQuery }: ApiRequest): boolean {
  const field = indexedFields.get(info.resource);
  if (field === undefined || !hasQuery) return false;
  const selector = parameters.get('fieldSelector') ?? '';
  return selector.split(',').some((requirement) => {
    const [name = '', value = ''] = requirement.split(/==?/);
    return name.trim() === field && value.trim() !== '';
  });
}
