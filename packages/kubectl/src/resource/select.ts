/** Finds the objects that a command is about: by files, by names, or by selectors. */
import { StatusError, type KubeObject } from '@coxswain/apimachinery';
import { parseApiVersion } from '@coxswain/apimachinery';
import { parseLabelSelector } from '@coxswain/apimachinery/label-selector-text.ts';
import type { CommandContext } from '../context.ts';
import { readManifests } from '../encoding/manifests.ts';
import { asError, ConnectionError, Failures, NoKindMatch, throwFailures } from '../errors.ts';
import { findManifests, type FoundSources, type ManifestSource } from './files.ts';
import { enhanceListError, ResourceHelper } from './helper.ts';
import { isList, refreshed, type Info } from './info.ts';
import type { ResourceMapping } from './mapping.ts';

export interface Selection {
  readonly args?: readonly string[];
  readonly filenames?: readonly string[];
  readonly kustomize?: string;
  readonly recursive?: boolean;
  readonly namespace: string;
  /** Objects of files must be in `namespace`. */
  readonly requireNamespace?: boolean;
  readonly allNamespaces?: boolean;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Everything of the kinds named. */
  readonly selectAll?: boolean;
  /** A kind without names means all its objects. */
  readonly allowEmptySelector?: boolean;
  readonly subresource?: string;
  /** Objects per list request; 0 for all at once. */
  readonly chunkSize?: number;
  readonly singleResourceType?: boolean;
  /** Go on with the other objects when one fails. */
  readonly continueOnError?: boolean;
  /** Objects of files are read from the server. */
  readonly latest?: boolean;
  readonly flatten?: boolean;
  /** No server is asked. */
  readonly local?: boolean;
  /** Objects named are looked up. */
  readonly requireObject?: boolean;
  /** Accept headers and parameters for reads. */
  readonly request?: ConstructorParameters<typeof ResourceHelper>[2];
  /** Checks what is read from files before it is used. */
  readonly validate?: (object: unknown, source: string) => Promise<void>;
  readonly ignore?: (failure: Error) => boolean;
}

export interface Selected {
  /** Whether one object is meant, as opposed to a list that may hold one. */
  readonly singleItemImplied: boolean;
  /** Throws what failed after the last one when it continues on errors. */
  infos(): AsyncGenerator<Info>;
  /** All infos, and what failed on the way. */
  collect(): Promise<{ readonly infos: Info[]; readonly failures: readonly Error[] }>;
  /** Runs `body` on each; failures of both are gathered when it continues on errors. */
  each(body: (info: Info) => Promise<void>): Promise<void>;
}

/** @throws Error when the arguments contradict one another or name what isn't served */
export async function select(context: CommandContext, selection: Selection): Promise<Selected> {
  const plan = await planSelection(context, selection);
  const raw = () => decorate(context, selection, plan.visit());
  const passes = (failure: Error) => selection.ignore?.(failure) === true;
  return {
    singleItemImplied: plan.singleItemImplied,
    async *infos() {
      const failures: Error[] = [];
      for await (const one of raw()) {
        if (!(one instanceof Error)) yield one;
        else if (passes(one)) continue;
        else if (selection.continueOnError) failures.push(one);
        else throw one;
      }
      throwFailures(failures);
    },
    async collect() {
      const infos: Info[] = [];
      const failures: Error[] = [];
      for await (const one of raw()) {
        if (!(one instanceof Error)) infos.push(one);
        else if (!passes(one)) {
          failures.push(one);
          if (!selection.continueOnError) break;
        }
      }
      return { infos, failures };
    },
    async each(body) {
      const failures: Error[] = [];
      for await (const one of raw()) {
        try {
          if (one instanceof Error) throw one;
          await body(one);
        } catch (failure) {
          const error = asError(failure);
          if (passes(error)) continue;
          if (!selection.continueOnError) throw error;
          failures.push(...(error instanceof Failures ? error.failures : [error]));
        }
      }
      throwFailures(failures);
    },
  };
}

/** Infos and failures in the order in which they come. */
type Visit = AsyncGenerator<Info | Error>;

interface Plan {
  readonly singleItemImplied: boolean;
  visit(): Visit;
}

async function planSelection(context: CommandContext, selection: Selection): Promise<Plan> {
  const { filenames = [], kustomize = '' } = selection;
  const parsed = await readArguments(context, selection);
  if (kustomize !== '') {
    if (filenames.length > 0) throw new Error('only one of -f or -k can be specified');
    if (selection.recursive) throw new Error("the -k flag can't be used with -f or -R");
  }
  if (filenames.length > 0 || kustomize !== '') return planPaths(context, selection, parsed);
  if (parsed.labelSelector !== undefined || parsed.fieldSelector !== undefined) {
    return planSelectors(context, selection, parsed);
  }
  if (parsed.tuples.length > 0) return planTuples(context, selection, parsed);
  if (parsed.names.length > 0) return planNames(context, selection, parsed);
  if (parsed.types.length > 0) {
    for (const type of parsed.types) await (await context.mapper()).forArgument(type);
    throw new Error('resource(s) were provided, but no name was specified');
  }
  throw new Error(missingResource);
}

const missingResource = `You must provide one or more resources by argument or filename.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'
   '<resource> <name>'
   '<resource>'`;

interface ParsedArguments {
  readonly types: readonly string[];
  readonly names: readonly string[];
  readonly tuples: readonly { readonly type: string; readonly name: string }[];
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
}

async function readArguments(context: CommandContext, selection: Selection): Promise<ParsedArguments> {
  const given = selection.args ?? [];
  let labelSelector = selection.labelSelector?.trim() || undefined;
  const fieldSelector = selection.fieldSelector?.trim() || undefined;
  if (selection.selectAll) {
    if (labelSelector !== undefined)
      throw new Error(`setting 'all' parameter but found a non empty selector. `);
    if (fieldSelector !== undefined)
      throw new Error(`setting 'all' parameter but found a non empty selector. `);
    labelSelector = '';
  }
  const args = crossed(given);
  const slashes = args.filter((arg) => arg.includes('/')).length;
  if (slashes > 0) {
    if (slashes !== args.length) {
      throw new Error(
        `there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'`,
      );
    }
    return { types: [], names: [], tuples: args.map(splitTuple), labelSelector, fieldSelector };
  }
  const [first, ...names] = args;
  const types =
    first === undefined ? [] : unique((await withoutCategories(context, first, selection.local)).split(','));
  if (
    names.length === 0 &&
    first !== undefined &&
    labelSelector === undefined &&
    selection.allowEmptySelector
  ) {
    labelSelector = '';
  }
  return { types, names, tuples: [], labelSelector, fieldSelector };
}

const unique = (words: readonly string[]): string[] => [...new Set(words)];

/** `a,b c d` means `a/c a/d b/c b/d`. */
function crossed(args: readonly string[]): string[] {
  const [types = '', ...names] = args;
  const several = unique(types.split(','));
  if (names.length === 0 || several.length < 2) return [...args];
  return several.flatMap((type) => names.map((name) => `${type}/${name}`));
}

function splitTuple(argument: string): { type: string; name: string } {
  const [type = '', name = '', ...more] = argument.split('/');
  if (more.length > 0) throw new Error('arguments in resource/name form may not have more than one slash');
  if (type === '' || name === '' || unique(type.split(',')).length !== 1) {
    throw new Error('arguments in resource/name form must have a single resource and name');
  }
  return { type, name };
}

async function withoutCategories(context: CommandContext, types: string, local = false): Promise<string> {
  if (local) return types;
  const mapper = await context.mapper();
  const expanded = await Promise.all(
    types.split(',').map(async (type) => {
      const mappings = await mapper.inCategory(type);
      if (mappings === undefined) return type;
      return mappings
        .map(({ resource, group }) => (group === '' ? resource : `${resource}.${group}`))
        .join(',');
    }),
  );
  return expanded.join(',');
}

async function mappingsOf(
  context: CommandContext,
  types: readonly string[],
  single = false,
): Promise<ResourceMapping[]> {
  if (types.length > 1 && single) throw new Error('you may only specify a single resource type');
  const mapper = await context.mapper();
  const mappings: ResourceMapping[] = [];
  for (const type of types) {
    const mapping = await mapper.forArgument(type);
    if (
      !mappings.some(
        (known) =>
          known.kind === mapping.kind && known.group === mapping.group && known.version === mapping.version,
      )
    ) {
      mappings.push(mapping);
    }
  }
  return mappings;
}

async function planSelectors(
  context: CommandContext,
  selection: Selection,
  parsed: ParsedArguments,
): Promise<Plan> {
  if (parsed.names.length > 0) throw new Error('name cannot be provided when a selector is specified');
  if (parsed.tuples.length > 0) {
    throw new Error('selectors and the all flag cannot be used when passing resource/name arguments');
  }
  if (parsed.types.length === 0) throw new Error('at least one resource must be specified to use a selector');
  if (selection.subresource) throw new Error('subresource cannot be used when bulk resources are specified');
  const mappings = await mappingsOf(context, parsed.types, selection.singleResourceType);
  return {
    singleItemImplied: false,
    async *visit() {
      for (const mapping of mappings) yield* listPages(context, selection, parsed, mapping);
    },
  };
}

async function* listPages(
  context: CommandContext,
  selection: Selection,
  parsed: ParsedArguments,
  mapping: ResourceMapping,
): Visit {
  const namespace = mapping.namespaced && !selection.allNamespaces ? selection.namespace : '';
  const helper = new ResourceHelper(await context.client(), mapping, selection.request);
  const query = {
    labelSelector: parsed.labelSelector ?? '',
    fieldSelector: parsed.fieldSelector ?? '',
    limit: selection.chunkSize ?? 0,
  };
  for (let token = ''; ;) {
    let page: KubeObject;
    try {
      page = await helper.list(namespace, { ...query, continue: token });
    } catch (failure) {
      yield asError(enhanceListError(failure, mapping, query));
      return;
    }
    yield { mapping, namespace, name: '', source: '', subresource: '', object: page };
    token = (page.metadata as { continue?: string } | undefined)?.continue ?? '';
    if (token === '') return;
  }
}

function namespaceFor(selection: Selection, mapping: ResourceMapping): string {
  if (!mapping.namespaced) return '';
  if (selection.allNamespaces)
    throw new Error('a resource cannot be retrieved by name across all namespaces');
  if (selection.namespace === '')
    throw new Error('namespace may not be empty when retrieving a resource by name');
  return selection.namespace;
}

async function planTuples(
  context: CommandContext,
  selection: Selection,
  parsed: ParsedArguments,
): Promise<Plan> {
  const mappings = new Map<string, ResourceMapping>();
  const mapper = await context.mapper();
  for (const { type } of parsed.tuples) {
    if (!mappings.has(type)) mappings.set(type, await mapper.forArgument(type));
  }
  const resources = new Set(
    [...mappings.values()].map(({ resource, group, version }) => `${resource}.${version}.${group}`),
  );
  if (selection.singleResourceType && resources.size > 1)
    throw new Error('you may only specify a single resource type');
  const targets = parsed.tuples.map(({ type, name }) => {
    const mapping = mappings.get(type) as ResourceMapping;
    return { mapping, name, namespace: namespaceFor(selection, mapping) };
  });
  return planTargets(context, selection, targets);
}

async function planNames(
  context: CommandContext,
  selection: Selection,
  parsed: ParsedArguments,
): Promise<Plan> {
  if (parsed.types.length === 0) throw new Error('you must provide a resource and a resource name together');
  if (parsed.types.length > 1) throw new Error('you must specify only one resource');
  const [mapping] = await mappingsOf(context, parsed.types);
  if (mapping === undefined) throw new Error('you must provide a resource and a resource name together');
  const namespace = namespaceFor(selection, mapping);
  return planTargets(
    context,
    selection,
    parsed.names.map((name) => ({ mapping, name, namespace })),
  );
}

function planTargets(
  context: CommandContext,
  selection: Selection,
  targets: readonly {
    readonly mapping: ResourceMapping;
    readonly name: string;
    readonly namespace: string;
  }[],
): Plan {
  return {
    singleItemImplied: targets.length === 1,
    async *visit() {
      for (const target of targets) {
        const info: Info = {
          ...target,
          source: '',
          subresource: selection.subresource ?? '',
          object: undefined,
        };
        yield selection.requireObject === false ? info : await fetchInfo(context, selection, info);
      }
    },
  };
}

async function fetchInfo(context: CommandContext, selection: Selection, info: Info): Promise<Info | Error> {
  try {
    if (info.mapping === undefined) return info;
    const helper = new ResourceHelper(await context.client(), info.mapping, selection.request);
    const object = await helper.get(info.namespace, info.name, info.subresource);
    // A Table has no name of its own.
    return object.kind === 'Table' ? { ...info, object } : refreshed(info, object);
  } catch (failure) {
    return (await missingNamespace(context, info, failure)) ?? asError(failure);
  }
}

/** Of an object that isn't there: that its namespace isn't there either, which says more. */
async function missingNamespace(
  context: CommandContext,
  info: Info,
  failure: unknown,
): Promise<Error | undefined> {
  if (!isNotFound(failure) || info.namespace === '' || info.namespace === 'default') return undefined;
  try {
    await (await context.client()).request({ method: 'GET', path: `/api/v1/namespaces/${info.namespace}` });
    return undefined;
  } catch (other) {
    return isNotFound(other) ? other : undefined;
  }
}

const isNotFound = (failure: unknown): failure is StatusError =>
  failure instanceof StatusError && failure.reason === 'NotFound';

async function planPaths(
  context: CommandContext,
  selection: Selection,
  parsed: ParsedArguments,
): Promise<Plan> {
  if (parsed.types.length > 0) {
    throw new Error(
      'when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well',
    );
  }
  if (parsed.names.length > 0) throw new Error('name cannot be provided when a path is specified');
  if (parsed.tuples.length > 0)
    throw new Error('resource/name arguments cannot be provided when a path is specified');
  const found = await findSources(context, selection);
  throwFailures(found.failures);
  const selector = parsed.labelSelector === undefined ? undefined : readSelector(parsed.labelSelector);
  return {
    singleItemImplied: found.single,
    async *visit() {
      for (const source of found.sources) {
        let failed = false;
        for await (const one of readSource(context, selection, source)) {
          if (one instanceof Error) failed = true;
          if (
            one instanceof Error ||
            selector === undefined ||
            selector.matches(one.object?.metadata.labels ?? {})
          )
            yield one;
        }
        if (failed && !selection.continueOnError) return;
      }
    },
  };
}

/** Files, or what is built of a directory. */
async function findSources(context: CommandContext, selection: Selection): Promise<FoundSources> {
  const { filenames = [], kustomize = '' } = selection;
  if (kustomize === '') return findManifests(filenames, selection.recursive === true, context.io);
  const { kustomizedManifests } = await import('../kustomize/manifests.ts');
  const text = kustomizedManifests(context, kustomize);
  return { sources: [{ name: kustomize, read: () => Promise.resolve(text) }], failures: [], single: false };
}

function readSelector(text: string) {
  try {
    return parseLabelSelector(text);
  } catch (failure) {
    throw new Error(`the provided selector "${text}" is not valid: ${(failure as Error).message}`);
  }
}

async function* readSource(context: CommandContext, selection: Selection, source: ManifestSource): Visit {
  let text: string;
  try {
    text = await source.read();
  } catch (failure) {
    yield failure instanceof ConnectionError
      ? failure
      : new Error(`error reading "${source.name}": ${(failure as Error).message}`);
    return;
  }
  const documents = readManifests(text);
  for (;;) {
    let next: IteratorResult<unknown>;
    try {
      next = documents.next();
    } catch (failure) {
      yield new Error(`error parsing ${source.name}: ${(failure as Error).message}`);
      return;
    }
    if (next.done) return;
    if (next.value === null || next.value === undefined) continue;
    try {
      yield* readObject(context, selection, next.value, source.name);
    } catch (failure) {
      yield asError(failure);
    }
  }
}

async function* readObject(
  context: CommandContext,
  selection: Selection,
  document: unknown,
  source: string,
): Visit {
  try {
    await selection.validate?.(document, source);
  } catch (failure) {
    yield new Error(`error validating "${source}": ${(failure as Error).message}`);
    return;
  }
  const object = checkObject(document, source);
  const objects = selection.flatten !== false && isList(object) ? itemsOf(object) : [object];
  for (const one of objects) {
    const info = await infoOf(context, selection, one, source);
    const placed = info instanceof Error ? info : placedIn(selection, info);
    yield placed instanceof Error || !selection.latest || placed.name === ''
      ? placed
      : await fetchInfo(context, selection, placed);
  }
}

/** A list's items take its kind where they have none. */
export function itemsOf(list: { items: KubeObject[] } & Partial<KubeObject>): KubeObject[] {
  const kind = list.kind?.endsWith('List') && list.kind !== 'List' ? list.kind.slice(0, -4) : undefined;
  return list.items.map(
    (item) => ({ ...(kind ? { apiVersion: list.apiVersion, kind } : {}), ...item }) as KubeObject,
  );
}

function checkObject(document: unknown, source: string): KubeObject {
  const problem = (text: string) => new Error(`unable to decode "${source}": ${text}`);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    const kind = Array.isArray(document) ? 'array' : typeof document === 'boolean' ? 'bool' : typeof document;
    throw problem(`json: cannot unmarshal ${kind} into Go value of type unstructured.detector`);
  }
  const object = document as Partial<KubeObject>;
  if (!object.kind) throw problem(`Object 'Kind' is missing in '${JSON.stringify(document)}'`);
  return { ...object, metadata: object.metadata ?? {} } as KubeObject;
}

async function infoOf(
  context: CommandContext,
  selection: Selection,
  object: KubeObject,
  source: string,
): Promise<Info | Error> {
  const name = object.metadata.name ?? '';
  const namespace = object.metadata.namespace ?? '';
  const info: Info = {
    mapping: undefined,
    name,
    namespace,
    source,
    subresource: selection.subresource ?? '',
    object,
  };
  if (selection.local) return info;
  const { group, version } = parseApiVersion(object.apiVersion ?? '');
  try {
    return { ...info, mapping: await (await context.mapper()).forKind(group, object.kind ?? '', version) };
  } catch (failure) {
    if (failure instanceof NoKindMatch) {
      return new Error(
        `resource mapping not found for name: "${name}" namespace: "${namespace}" from "${source}": ${failure.message}\nensure CRDs are installed first`,
      );
    }
    return asError(failure);
  }
}

/** Gives a namespaced object its namespace, and takes it from one that has no need of it. */
function placedIn(selection: Selection, info: Info): Info | Error {
  if (info.object === undefined) return info;
  if (info.mapping !== undefined && !info.mapping.namespaced) {
    if (info.namespace === '') return info;
    const { namespace: _namespace, ...metadata } = info.object.metadata;
    return { ...info, namespace: '', object: { ...info.object, metadata } };
  }
  const wanted = selection.allNamespaces ? '' : selection.namespace;
  const namespace = info.namespace || wanted;
  if (selection.requireNamespace && wanted !== '' && namespace !== wanted) {
    return new Error(
      `the namespace from the provided object "${namespace}" does not match the namespace "${wanted}". You must pass '--namespace=${namespace}' to perform this operation.`,
    );
  }
  if (namespace === info.namespace || info.mapping === undefined) return { ...info, namespace };
  return { ...info, namespace, object: { ...info.object, metadata: { ...info.object.metadata, namespace } } };
}

async function* decorate(_context: CommandContext, selection: Selection, visit: Visit): Visit {
  for await (const one of visit) {
    if (one instanceof Error || selection.flatten === false || !isList(one.object)) yield one;
    else {
      const { mapping } = one;
      for (const item of itemsOf(one.object as { items: KubeObject[] } & Partial<KubeObject>)) {
        yield refreshed({ ...one, mapping, name: '', namespace: '' }, item);
      }
    }
  }
}
