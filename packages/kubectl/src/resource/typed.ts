/** Objects of built-in kinds as the original's types print them: with the fields that are always there. */
import type { KubeObject } from '@coxswain/apimachinery';

/** The object itself for kinds that nobody knows, and for what can't be read as its kind. */
export async function typedForm(object: KubeObject): Promise<KubeObject> {
  const [{ groupVersionFolders, kindsOf }, { decodeValue }] = await Promise.all([
    import('@coxswain/api/group-versions.ts'),
    import('@coxswain/schema/decode.ts'),
  ]);
  const kind = groupVersionFolders
    .flatMap(kindsOf)
    .find((one) => one.apiVersion === object.apiVersion && one.kind === object.kind);
  if (kind === undefined) return object;
  try {
    return decodeValue(kind.type, object).object as KubeObject;
  } catch {
    return object;
  }
}
