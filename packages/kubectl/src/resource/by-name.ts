/** Finds objects by name, in either form. */
import type { CommandContext } from '../context.ts';
import type { ParsedArguments } from './arguments.ts';
import { mappingsOf, namespaceFor } from './by-selector.ts';
import { fetchInfo } from './fetch.ts';
import type { Info } from './info.ts';
import type { ResourceMapping } from '../mapping.ts';
import type { Plan, Selection } from './selection.ts';

export async function planTuples(
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

export async function planNames(
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
