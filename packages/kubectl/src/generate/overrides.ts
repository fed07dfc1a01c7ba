/** `--overrides`: a patch over what was generated. */
import type { KubeObject } from '@coxswain/apimachinery';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { string } from '@coxswain/cobra';
import type { CommandContext } from '../context.ts';
import { applyPatch } from '../patch/apply-patch.ts';
import { patchSchemaOf } from '../patch/kind-schema.ts';
import { noPatchSchema } from '../patch/patch-schema.ts';

export const overrideFlags = {
  overrideType: string({
    default: 'merge',
    usage: 'What kind of patch --overrides is: json, merge or strategic.',
  }),
  overrides: string({
    usage: 'A patch over the generated object, in JSON. It needs an apiVersion if it is to be checked.',
  }),
};

export async function overridden(
  context: CommandContext,
  object: KubeObject,
  { overrides, overrideType }: { readonly overrides: string; readonly overrideType: string },
): Promise<KubeObject> {
  if (overrides === '') return object;
  if (overrideType !== 'json' && overrideType !== 'merge' && overrideType !== 'strategic') {
    throw new Error(`invalid override type: ${overrideType}`);
  }
  const [group, version] = object.apiVersion?.includes('/')
    ? object.apiVersion.split('/')
    : ['', object.apiVersion ?? ''];
  const schema =
    overrideType === 'strategic'
      ? await patchSchemaOf(context, group ?? '', version ?? '', object.kind ?? '')
      : noPatchSchema;
  return applyPatch(object, overrideType, readYaml(overrides), schema);
}
