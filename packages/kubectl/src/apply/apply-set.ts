/**
 * Apply sets: a parent object records which kinds in which namespaces were applied together, and a label marks the
 * members, so that those that are no longer described can be found and deleted.
 */
import { createHash } from 'node:crypto';
import { StatusError, type KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { goQuote } from '@coxswain/cobra/go-quote.ts';
import { clientVersion } from '../connection/user-agent.ts';
import type { CommandContext } from '../context.ts';
import { NoResourceMatch, throwFailures } from '../errors.ts';
import type { DryRun } from '../flags/dry-run.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import { mappingOf, objectOf, type Info } from '../resource/info.ts';
import { groupVersionOf, type ResourceMapper, type ResourceMapping } from '../mapping.ts';

const toolingAnnotation = 'applyset.kubernetes.io/tooling';
const namespacesAnnotation = 'applyset.kubernetes.io/additional-namespaces';
const kindsAnnotation = 'applyset.kubernetes.io/contains-group-kinds';
/** Written by older versions instead. */
const resourcesAnnotation = 'applyset.kubernetes.io/contains-group-resources';
const idLabel = 'applyset.kubernetes.io/id';
const memberLabel = 'applyset.kubernetes.io/part-of';
/** Set on the definition of a custom resource whose objects may be parents. */
const parentTypeLabel = 'applyset.kubernetes.io/is-parent-type';

const tool = 'kubectl';
const fieldManager = `${tool}-applyset`;

/** Parents that need no definition, and are created if they don't exist. */
const builtInParents = ['secrets', 'configmaps'];

export interface ApplySetParent {
  readonly mapping: ResourceMapping;
  readonly name: string;
  /** Empty if not specified, or for cluster-scoped kinds. */
  readonly namespace: string;
}

/** Kinds by name (`Kind.group`), and namespaces. */
export interface Members {
  readonly kinds: ReadonlyMap<string, ResourceMapping>;
  readonly namespaces: ReadonlySet<string>;
}

/** Parses `NAME` or `RESOURCE.GROUP/NAME`. @throws Error if it is invalid */
export async function readParent(
  mapper: ResourceMapper,
  text: string,
  namespace: string,
): Promise<ApplySetParent> {
  try {
    const slash = text.indexOf('/');
    const name = text.slice(slash + 1);
    if (name === '') throw new Error('name cannot be blank');
    const mapping = await mapper.forResource(slash < 0 ? 'secrets' : text.slice(0, slash));
    return { mapping, name, namespace: mapping.namespaced ? namespace : '' };
  } catch (failure) {
    const why =
      failure instanceof NoResourceMatch
        ? `no matches for ${failure.group}/, Resource=${failure.resource}`
        : messageOf(failure);
    throw new Error(`invalid parent reference ${goQuote(text)}: ${why}`, { cause: failure });
  }
}

/** The value of the labels on parent and members. */
function applySetId({ name, namespace, mapping }: ApplySetParent): string {
  const text = [name, namespace, mapping.kind, mapping.group].join('.');
  return `applyset-${createHash('sha256').update(text).digest('base64url')}-v1`;
}

export const memberSelector = (parent: ApplySetParent): string => `${memberLabel}=${applySetId(parent)}`;

/** @throws Failures if the object can't be the parent of a set */
export async function checkParent(context: CommandContext, parent: ApplySetParent): Promise<void> {
  const failures: Error[] = [];
  const { mapping, namespace } = parent;
  if (mapping.namespaced && namespace === '')
    failures.push(new Error('namespace is required to use namespace-scoped ApplySet'));
  if (!isBuiltIn(mapping)) failures.push(...(await refusalsOf(context, mapping)));
  throwFailures(failures);
}

const isBuiltIn = ({ group, version, resource }: ResourceMapping): boolean =>
  group === '' && version === 'v1' && builtInParents.includes(resource);

async function refusalsOf(context: CommandContext, mapping: ResourceMapping): Promise<Error[]> {
  const { group, version, resource } = mapping;
  const refusal = new Error(
    `resource ${goQuote(`${group}/${version}, Resource=${resource}`)} is not permitted as an ApplySet parent`,
  );
  try {
    const definitions = await (await context.mapper()).forResource('customresourcedefinitions');
    const helper = new ResourceHelper(await context.client(), definitions);
    const list = (await helper.list('', { labelSelector: parentTypeLabel })) as KubeObject & List;
    const isPermitted = list.items?.some(({ metadata }) => metadata.name === `${resource}.${group}`) ?? false;
    return isPermitted ? [] : [refusal];
  } catch (failure) {
    const why = messageOf(failure);
    return [
      new Error(`identifying allowed custom resource parent types: ${why}`, { cause: failure }),
      refusal,
    ];
  }
}

interface List {
  readonly items?: readonly KubeObject[];
}

/** Returns the object with the label of a member. @throws Error if it already has one */
export function asMember(parent: ApplySetParent, info: Info): Info {
  const object = objectOf(info);
  const { labels } = object.metadata;
  if (labels !== undefined && memberLabel in labels)
    throw new Error(`ApplySet label ${goQuote(memberLabel)} already set in input data`);
  const metadata = { ...object.metadata, labels: { ...labels, [memberLabel]: applySetId(parent) } };
  return { ...info, object: { ...object, metadata } };
}

const none: Members = { kinds: new Map(), namespaces: new Set() };

/** Returns what the parent has recorded. @throws Error if it isn't managed by this tool */
export async function rememberedMembers(context: CommandContext, parent: ApplySetParent): Promise<Members> {
  const { mapping, name, namespace } = parent;
  const place = goQuote(`${mapping.resource}.${mapping.group}/${name}`);
  const helper = new ResourceHelper(await context.client(), mapping);
  let object: KubeObject;
  try {
    object = await helper.get(namespace, name);
  } catch (failure) {
    if (!(failure instanceof StatusError && failure.reason === 'NotFound'))
      throw new Error(`failed to fetch ApplySet parent object ${place}: ${messageOf(failure)}`, {
        cause: failure,
      });
    if (isBuiltIn(mapping)) return none;
    throw new Error('custom resource ApplySet parents cannot be created automatically', { cause: failure });
  }
  const { annotations = {}, labels = {} } = object.metadata;
  checkTooling(place, annotations[toolingAnnotation]);
  checkId(place, labels[idLabel], applySetId(parent));
  try {
    const kinds = await rememberedKinds(await context.mapper(), annotations);
    const others = (annotations[namespacesAnnotation] ?? '').split(',').filter((one) => one !== '');
    return { kinds, namespaces: new Set([...others, ...(mapping.namespaced ? [namespace] : [])]) };
  } catch (failure) {
    throw new Error(`parsing ApplySet annotation on ${place}: ${messageOf(failure)}`, {
      cause: failure,
    });
  }
}

function checkTooling(place: string, value: string | undefined): void {
  if (value === undefined)
    throw new Error(
      `ApplySet parent object ${place} already exists and is missing required annotation ${goQuote(toolingAnnotation)}`,
    );
  const name = value.includes('/') ? value.slice(0, value.lastIndexOf('/')) : value;
  if (name !== tool)
    throw new Error(
      `ApplySet parent object ${place} already exists and is managed by tooling ${goQuote(name)} instead of ${goQuote(tool)}`,
    );
}

function checkId(place: string, value: string | undefined, wanted: string): void {
  if (value === undefined)
    throw new Error(`ApplySet parent object ${place} exists and does not have required label ${idLabel}`);
  if (value !== wanted)
    throw new Error(
      `ApplySet parent object ${place} exists and has incorrect value for label ${goQuote(idLabel)} (got: ${value}, want: ${wanted})`,
    );
}

async function rememberedKinds(
  mapper: ResourceMapper,
  annotations: Readonly<Record<string, string>>,
): Promise<Map<string, ResourceMapping>> {
  const kinds = annotations[kindsAnnotation];
  const resources = annotations[resourcesAnnotation] ?? '';
  if (kinds === undefined && resources === '')
    throw new Error(
      `kubectl requires the ${goQuote(kindsAnnotation)} annotation to be set on all ApplySet parent objects`,
    );
  const found = new Map<string, ResourceMapping>();
  const failed = (what: string, failure: unknown) =>
    new Error(`${what} annotation: ${messageOf(failure)}`, { cause: failure });
  for (const text of (kinds ?? resources).split(',').filter((one) => one !== '')) {
    try {
      const mapping =
        kinds === undefined ? await mapper.forResource(text) : await mapper.forKind(...splitKind(text));
      found.set(kindName(mapping), mapping);
    } catch (failure) {
      throw kinds === undefined
        ? failed(`invalid group resource in ${goQuote(resourcesAnnotation)}`, failure)
        : failed(`could not find mapping for kind in ${goQuote(kindsAnnotation)}`, failure);
    }
  }
  return found;
}

function splitKind(text: string): [group: string, kind: string] {
  const dot = text.indexOf('.');
  return dot < 0 ? ['', text] : [text.slice(dot + 1), text.slice(0, dot)];
}

const kindName = ({ group, kind }: ResourceMapping): string => (group === '' ? kind : `${kind}.${group}`);

/** The kinds and namespaces that are applied now. */
export function membersOf(infos: readonly Info[]): Members {
  const mappings = infos.map(mappingOf);
  return {
    kinds: new Map(mappings.map((mapping) => [kindName(mapping), mapping])),
    namespaces: new Set(
      infos
        .filter((info) => mappingOf(info).namespaced && info.namespace !== '')
        .map(({ namespace }) => namespace),
    ),
  };
}

export const union = (a: Members, b: Members): Members => ({
  kinds: new Map([...a.kinds, ...b.kinds]),
  namespaces: new Set([...a.namespaces, ...b.namespaces]),
});

/** Records these in the parent. @throws Error if it can't be written */
export async function remember(
  context: CommandContext,
  parent: ApplySetParent,
  members: Members,
  write: { readonly dryRun: DryRun; readonly fieldValidation: string },
): Promise<void> {
  if (write.dryRun === 'client') return;
  const { mapping, name, namespace } = parent;
  const helper = new ResourceHelper(await context.client(), mapping);
  const apply = (force: boolean) =>
    helper.patch(namespace, name, 'apply', parentPatch(parent, members), {
      dryRun: write.dryRun === 'server',
      fieldManager,
      fieldValidation: write.fieldValidation,
      force,
    });
  try {
    await apply(false).catch((failure: Error) => {
      if (!(failure instanceof StatusError && failure.reason === 'Conflict')) throw failure;
      context.warnLog(
        `WARNING: failed to update ApplySet: ${failure.message}\nApplySet field manager ${fieldManager} should own these fields. Retrying with conflicts forced.`,
      );
      return apply(true);
    });
  } catch (failure) {
    throw new Error(`failed to update ApplySet: ${messageOf(failure)}`, { cause: failure });
  }
}

function parentPatch(parent: ApplySetParent, { kinds, namespaces }: Members): object {
  const { mapping, name, namespace } = parent;
  const others = [...namespaces].filter((one) => one !== namespace);
  return {
    kind: mapping.kind,
    apiVersion: groupVersionOf(mapping),
    metadata: {
      name,
      ...(namespace !== '' && { namespace }),
      labels: { [idLabel]: applySetId(parent) },
      annotations: {
        [namespacesAnnotation]: others.sort().join(','),
        [kindsAnnotation]: [...kinds.keys()].sort().join(','),
        [toolingAnnotation]: `${tool}/${clientVersion.gitVersion}`,
      },
    },
  };
}
