/** Server-side apply: the applier becomes the owner of the fields in its configuration. */
import {
  apiVersionProblem,
  badRequest,
  deepClone,
  deepEqual,
  here,
  invalid,
  invalidError,
  parseApiVersion,
  runStepInTurn,
  StatusError,
  type KubeObject,
} from '@coxswain/apimachinery';
import { withinAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import { DecodeError, EmbeddedMetadataError, jsonKindOf, restoreValue, type Kind } from '@coxswain/schema';
import { withGoNumbers } from '@coxswain/schema/json/plain.ts';
import { readYaml, warningsOf } from '../../negotiation/yaml.ts';
import type { ResourceScope } from '../../services/resource-scope.ts';
import { defaultObject, withTypeMeta } from '../body/decode-body.ts';
import { applied } from '../managed.ts';
import { badBody, type PatchInput, type PatchMechanism } from './mechanism.ts';

export const applyPatch: PatchMechanism = {
  isFor: ({ fields }) => fields !== undefined,
  prepare(input) {
    const { request, scope, options } = input;
    return (live) => {
      const { config, problems } = configurationOf(input);
      const isCustomScale = scope.isCustom && scope.subresource === 'scale';
      if (isCustomScale && live?.metadata.managedFields === undefined)
        throw inconvertibleScale('create manager for existing fields: failed to convert live object (/; ');
      const finish = (result: KubeObject): KubeObject => {
        if (isCustomScale && !isUnchanged(live!, result)) {
          const { name = '', namespace = '' } = config.metadata ?? {};
          throw inconvertibleScale(`convert new object (${namespace}/${name}; `);
        }
        const object = appliedObject(input, result, config);
        for (const problem of problems) reportDuplicate(input, problem);
        return object;
      };
      const merged = runStepInTurn(request.observer, here`managed-fields`, () =>
        applied(request, scope.fields!, live, config, options),
      );
      return merged instanceof Promise ? merged.then(finish) : finish(merged);
    };
  },
};

/**
 * Applies the defaults, too.
 * @throws StatusError 422 for unreadable metadata of an embedded object; 500, upstream's answer to values that only a
 * conversion finds invalid
 */
function appliedObject({ scope, request }: PatchInput, applied: KubeObject, config: KubeObject): KubeObject {
  const { kind } = scope;
  try {
    checkManagedFields(kind, config);
    const object = withTypeMeta(restoreValue(kind.type, applied).object as KubeObject, kind);
    defaultObject(kind, object, request.receivedAtMs);
    return object;
  } catch (failure) {
    if (!(failure instanceof DecodeError)) throw failure;
    const { name = '', namespace = '' } = config.metadata ?? {};
    if (failure instanceof EmbeddedMetadataError) {
      throw invalid(kind, name, [invalidError(failure.field, failure.value, failure.detail)]);
    }
    const shown = `${kind.group === '' ? '/' : ''}${kind.apiVersion}, Kind=${kind.kind}`;
    throw new StatusError(
      500,
      '',
      `failed to convert new object (${namespace}/${name}; ${shown}) to proper version: ` +
        `unable to convert unstructured object to ${shown}: ${failure.message}`,
    );
  }
}

/** Checks for unreadable entries, which only the conversion detects. @throws DecodeError */
function checkManagedFields({ type, apiVersion, kind }: Kind, { metadata }: KubeObject): void {
  const managedFields: unknown = metadata?.managedFields;
  if (Array.isArray(managedFields) && !type.isCustom)
    restoreValue(type, { apiVersion, kind, metadata: { managedFields } });
}

/** An apply that changes nothing but owners converts nothing. */
const isUnchanged = (live: KubeObject, result: KubeObject): boolean =>
  deepEqual(withoutOwners(live), withoutOwners(result));

const withoutOwners = ({ metadata: { managedFields: _owners, ...metadata }, ...object }: KubeObject) => ({
  ...object,
  metadata,
});

/** CustomResourceDefinitions convert only between versions of their own group, so upstream cannot change a scale by apply. */
const inconvertibleScale = (what: string): StatusError =>
  new StatusError(
    500,
    '',
    `failed to ${what}autoscaling/v1, Kind=Scale) to proper version: ` +
      'request to convert CR to an invalid group/version: autoscaling/v1',
  );

interface Configuration {
  readonly config: KubeObject;
  readonly problems: readonly string[];
}

/** @throws StatusError 400 */
function configurationOf({ scope, request, bytes, object }: PatchInput): Configuration {
  if (bytes === undefined) return { config: ofKind(scope, deepClone(object) as KubeObject), problems: [] };
  let value;
  let problems;
  try {
    ({ value, problems } = withinAllowance(request.allowance, () => readYaml(bytes)));
  } catch (failure) {
    throw badBody(failure, 'error decoding YAML: error converting YAML to JSON: ');
  }
  if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonKindOf(value)} into Go value of type map[string]interface {}`,
    );
  }
  return { config: ofKind(scope, (withGoNumbers(value) ?? {}) as KubeObject), problems };
}

/** @throws StatusError 400 for any version and kind but the endpoint's own */
function ofKind({ kind }: ResourceScope, config: KubeObject): KubeObject {
  const { apiVersion, kind: name } = config;
  if (name === kind.kind && apiVersion === kind.apiVersion) return config;
  const [versionText, kindText] = [apiVersion, name].map((text) => (typeof text === 'string' ? text : ''));
  const { group, version } = parseApiVersion(versionText!);
  if (name === kind.kind && group === kind.group && version === kind.version)
    return Object.assign(config, { apiVersion: kind.apiVersion });
  // If the version is invalid, the kind is dropped as well.
  const shown = apiVersionProblem(versionText!) === undefined ? kindText! : '';
  throw badRequest(`invalid object type: ${group}/${version}, Kind=${shown}`);
}

function reportDuplicate({ options, request }: PatchInput, problem: string): void {
  if (options.fieldValidation === 'Strict')
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${problem}`);
  if (options.fieldValidation === 'Warn') for (const text of warningsOf(problem)) request.warn(text);
}
