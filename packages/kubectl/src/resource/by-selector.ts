/** Lists all objects of some types that match selectors, page by page. */
import type { CommandContext } from '../context.ts';
import { asError } from '../errors.ts';
import type { ParsedArguments } from './arguments.ts';
import { pages } from './pages.ts';
import { enhanceListError, ResourceHelper } from './resource-helper.ts';
import type { ResourceMapping } from '../mapping.ts';
import type { Plan, Selection, Visit } from './selection.ts';

export async function planSelectors(
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
  try {
    for await (const object of pages((token) => helper.list(namespace, { ...query, continue: token })))
      yield { mapping, namespace, name: '', source: '', subresource: '', object };
  } catch (failure) {
    yield asError(enhanceListError(failure, mapping, query));
  }
}

export function namespaceFor(selection: Selection, mapping: ResourceMapping): string {
  if (!mapping.namespaced) return '';
  if (selection.allNamespaces)
    throw new Error('a resource cannot be retrieved by name across all namespaces');
  if (selection.namespace === '')
    throw new Error('namespace may not be empty when retrieving a resource by name');
  return selection.namespace;
}

export async function mappingsOf(
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
