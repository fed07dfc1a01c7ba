import {
  checkDns1035Label,
  checkDnsSubdomain,
  semanticDeepEqual,
  validateLabelSelector,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { pathOf, Errors } from '../meta/checks.ts';
import type { MetaObject } from '../meta/kind-object.ts';
import { subdomainName, validateObjectMeta } from '../meta/object-meta-validation.ts';
import { validateWebhookClient } from '../meta/webhook-validation.ts';
import { validateMatchConditions, validateRule } from './rule-validation.ts';
import type { MutatingWebhook } from './v1/mutating-webhook.ts';
import type { ValidatingWebhook } from './v1/validating-webhook.ts';

/** Only mutating webhooks have a reinvocation policy. */
type Webhook = ValidatingWebhook & Pick<Partial<MutatingWebhook>, 'reinvocationPolicy'>;
type Configuration = MetaObject & { webhooks?: Webhook[] };

/** What stored configurations may contain but new ones may not. */
interface Options {
  readonly skipConditions: boolean;
  readonly anySideEffects: boolean;
  readonly anyReviewVersions: boolean;
  readonly repeatedNames: boolean;
  readonly allowInvalidValues: boolean;
}

const reviewVersions = ['v1', 'v1beta1'];
const sideEffectFree = ['None', 'NoneOnDryRun'];
const allSideEffects = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];

export function validateWebhooks(configuration: Configuration, old: Configuration | undefined): FieldError[] {
  const errors = new Errors();
  const webhooks = configuration.webhooks ?? [];
  const options = optionsOf(webhooks, old?.webhooks ?? [], old !== undefined);
  validateObjectMeta(
    configuration.metadata,
    { namespaced: false, name: subdomainName, coreFinalizers: false },
    errors,
  );
  const names = new Set<string>();
  for (const [index, webhook] of webhooks.entries()) {
    const path = pathOf('webhooks').index(index);
    validateWebhook(webhook, options, path, errors);
    const versionsPath = path.child('admissionReviewVersions');
    validateVersions(webhook.admissionReviewVersions ?? [], options, versionsPath, errors);
    const { name } = webhook;
    if (!name || options.repeatedNames) continue;
    if (names.has(name)) errors.duplicate(path.child('name'), name);
    names.add(name);
  }
  return errors;
}

function optionsOf(webhooks: readonly Webhook[], old: readonly Webhook[], isUpdate: boolean): Options {
  const conditions = (hooks: readonly Webhook[]) => hooks.map((hook) => hook.matchConditions ?? []);
  const selectors = old.flatMap((hook) => [hook.namespaceSelector, hook.objectSelector]);
  return {
    skipConditions: isUpdate && semanticDeepEqual(conditions(webhooks), conditions(old)),
    anySideEffects: old.some((hook) => !sideEffectFree.includes(hook.sideEffects ?? '')),
    anyReviewVersions: old.some(
      ({ admissionReviewVersions: versions }) =>
        (versions ?? []).length > 0 && !versions!.some((version) => reviewVersions.includes(version)),
    ),
    repeatedNames: new Set(old.map(({ name }) => name)).size !== old.length,
    allowInvalidValues: selectors.some(
      (selector) => selector != null && validateLabelSelector(selector, pathOf('webhooks')).length > 0,
    ),
  };
}

function validateWebhook(webhook: Webhook, options: Options, path: FieldPath, errors: Errors): void {
  validateName(webhook.name ?? '', path.child('name'), errors);
  for (const [index, rule] of (webhook.rules ?? []).entries()) {
    validateRule(rule, path.child('rules').index(index), errors);
  }
  const oneOf = (name: 'failurePolicy' | 'matchPolicy' | 'reinvocationPolicy', values: string[]): void => {
    const value = webhook[name];
    if (value == null || values.includes(value)) return;
    errors.notSupported(path.child(name), value, values);
  };
  oneOf('failurePolicy', ['Fail', 'Ignore']);
  oneOf('matchPolicy', ['Equivalent', 'Exact']);
  const allowed = options.anySideEffects ? allSideEffects : sideEffectFree;
  const { sideEffects, timeoutSeconds } = webhook;
  if (sideEffects == null) {
    errors.required(path.child('sideEffects'), `must specify one of ${allowed.join(', ')}`);
  } else if (!allowed.includes(sideEffects)) {
    errors.notSupported(path.child('sideEffects'), sideEffects, allowed);
  }
  if (timeoutSeconds != null && (timeoutSeconds > 30 || timeoutSeconds < 1)) {
    const detail = 'the timeout value must be between 1 and 30 seconds';
    errors.invalid(path.child('timeoutSeconds'), timeoutSeconds, detail);
  }
  for (const name of ['namespaceSelector', 'objectSelector'] as const) {
    errors.push(...validateLabelSelector(webhook[name], path.child(name), options));
  }
  oneOf('reinvocationPolicy', ['IfNeeded', 'Never']);
  validateWebhookClient(webhook.clientConfig ?? {}, path.child('clientConfig'), errors);
  if (!options.skipConditions) {
    validateMatchConditions(webhook.matchConditions, false, path.child('matchConditions'), errors);
  }
}

function validateName(name: string, path: FieldPath, errors: Errors): void {
  const messages = checkDnsSubdomain(name);
  if (name === '') errors.required(path);
  else if (messages.length > 0) errors.invalid(path, name, messages.join(','));
  else if (name.split('.').length < 3) {
    const detail = 'should be a domain with at least three segments separated by dots';
    errors.invalid(path, name, detail);
  }
}

function validateVersions(
  versions: readonly string[],
  { anyReviewVersions }: Options,
  path: FieldPath,
  errors: Errors,
): void {
  if (versions.length === 0) {
    errors.required(path, `must specify one of ${reviewVersions.join(', ')}`);
    return;
  }
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    const at = path.index(index);
    if (seen.has(version)) {
      errors.invalid(at, version, 'duplicate version');
      continue;
    }
    seen.add(version);
    for (const message of checkDns1035Label(version)) errors.invalid(at, version, message);
  }
  if (!anyReviewVersions && !reviewVersions.some((version) => seen.has(version))) {
    const detail = `must include at least one of ${reviewVersions.join(', ')}`;
    errors.invalid(path, versions, detail);
  }
}
