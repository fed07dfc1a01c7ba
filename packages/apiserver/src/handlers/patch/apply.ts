/** Server-side apply: what the configuration states becomes the applier's. */
import { badRequest, deepClone } from '@coxswain/apimachinery';
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

/** @throws StatusError 400 for any but the endpoint's own version and kind */
function ofKind({ kind }: ResourceScope, config: KubeObject): KubeObject {
  const { apiVersion, kind: name } = config;
  if (name === kind.kind && apiVersion === kind.apiVersion) return config;
  const [versionText, kindText] = [apiVersion, name].map((text) => (typeof text === 'string' ? text : ''));
  const parts = versionText!.split('/');
  // What is no version leaves nothing of the kind, either.
  if (parts.length > 2) throw badRequest('invalid object type: /, Kind=');
  const groupVersion = parts.length === 2 ? versionText : `/${versionText}`;
  throw badRequest(`invalid object type: ${groupVersion}, Kind=${kindText}`);
}

function reportDuplicate({ options, request }: PatchInput, problem: string): void {
  if (options.fieldValidation === 'Strict') throw badRequest(`error strict decoding YAML: ${problem}`);
  if (options.fieldValidation === 'Warn') for (const text of warningsOf(problem)) request.warn(text);
}
