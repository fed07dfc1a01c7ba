/** Parses arguments like `pods web`, `deployments,services` and `pod/web`, and selectors. */
import type { CommandContext } from '../context.ts';
import type { Selection } from './selection.ts';

export interface ParsedArguments {
  readonly types: readonly string[];
  readonly names: readonly string[];
  readonly tuples: readonly { readonly type: string; readonly name: string }[];
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
}

export async function readArguments(context: CommandContext, selection: Selection): Promise<ParsedArguments> {
  const given = selection.args ?? [];
  let labelSelector = selection.labelSelector?.trim() || undefined;
  const fieldSelector = selection.fieldSelector?.trim() || undefined;
  if (selection.selectAll) {
    if (labelSelector !== undefined || fieldSelector !== undefined) throw new Error(nonEmptySelector);
    labelSelector = '';
  }
  const { defaultType } = selection;
  if (defaultType !== undefined) {
    const tuples = given.map((arg) =>
      arg.includes('/') ? splitTuple(arg) : { type: defaultType, name: arg },
    );
    return { types: [], names: [], tuples, labelSelector, fieldSelector };
  }
  const args = crossed(given);
  const slashes = args.filter((arg) => arg.includes('/')).length;
  if (slashes > 0) {
    if (slashes !== args.length) {
      throw new Error(mixedArguments);
    }
    return { types: [], names: [], tuples: args.map(splitTuple), labelSelector, fieldSelector };
  }
  const [first, ...names] = args;
  const types =
    first === undefined ? [] : unique((await withoutCategories(context, first, selection.local)).split(','));
  if (names.length === 0 && first !== undefined && selection.allowEmptySelector) {
    if (selection.selectAll) throw new Error(nonEmptySelector);
    labelSelector ??= '';
  }
  return { types, names, tuples: [], labelSelector, fieldSelector };
}

const nonEmptySelector = "setting 'all' parameter but found a non empty selector. ";

/** The error for mixing both forms. */
export const mixedArguments = `there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'`;

const unique = (words: readonly string[]): string[] => [...new Set(words)];

/** `a,b c d` stands for `a/c a/d b/c b/d`. */
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
