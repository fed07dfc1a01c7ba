/** Server-side apply: what the configuration states becomes the applier's. */
import { badRequest, deepClone, parseApiVersion } from '@coxswain/apimachinery';
import type { KubeObject } from '@coxswain/apimachinery';
import { readYaml, warningsOf } from '../../negotiation/yaml.ts';
import type { ResourceScope } from '../../resource-scope.ts';
import { badBody, decodePatched } from './mechanism.ts';
import type { PatchInput, PatchMechanism } from './mechanism.ts';

export const applyPatch: PatchMechanism = {
  isFor: ({ fields }) => fields !== undefined,
  prepare(input) {
    const { scope, options } = input;
    return (live) => {
      const { config, problems } = configurationOf(input);
      const applied = scope.fields!.apply(live, config, options.fieldManager, options.force === true);
      for (const problem of problems) reportDuplicate(input, problem);
      return decodePatched(input, applied, []);
    };
  },
};

interface Configuration {
  readonly config: KubeObject;
  readonly problems: readonly string[];
}

/** @throws StatusError 400 */
function configurationOf({ scope, bytes, object }: PatchInput): Configuration {
  if (bytes === undefined) return { config: ofKind(scope, deepClone(object) as KubeObject), problems: [] };
  let value;
  let problems;
  try {
    ({ value, problems } = readYaml(bytes));
  } catch (failure) {
    throw badBody(failure, 'error decoding YAML: error converting YAML to JSON: ');
  }
  if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type map[string]interface {}`,
    );
  }
  return { config: ofKind(scope, (value ?? {}) as KubeObject), problems };
}

/** Another version of the kind is refused later, with a better text. @throws StatusError 400 */
function ofKind({ kind }: ResourceScope, config: KubeObject): KubeObject {
  const { apiVersion = '', kind: name = '' } = config;
  const { group } = parseApiVersion(apiVersion);
  if (name === kind.kind && apiVersion !== '' && group === kind.group) return config;
  const groupVersion = apiVersion === '' || !apiVersion.includes('/') ? `/${apiVersion}` : apiVersion;
  throw badRequest(`invalid object type: ${groupVersion}, Kind=${name}`);
}

function reportDuplicate({ options, request }: PatchInput, problem: string): void {
  if (options.fieldValidation === 'Strict') throw badRequest(`error strict decoding YAML: ${problem}`);
  if (options.fieldValidation === 'Warn') for (const text of warningsOf(problem)) request.warn(text);
}
