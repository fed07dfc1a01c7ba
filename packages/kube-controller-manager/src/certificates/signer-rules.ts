/** The requirements of Kubernetes' signers for a request, with upstream's messages. */
import { signerNames } from './certificate-request.ts';
import type { RequestedSubject } from './requested-subject.ts';

type Rule = (subject: RequestedSubject, usages: readonly string[]) => string | undefined;

/** By signer: returns what is wrong with a request. */
export const signerRules: Readonly<Record<string, Rule>> = {
  [signerNames.kubeletServing]: kubeletServingProblem,
  [signerNames.kubeletClient]: kubeletClientProblem,
  [signerNames.apiServerClient]: (_subject, usages) => clientUsageProblem(usages),
  // Anything that was approved: the name stands for requests from before signers existed.
  [signerNames.legacyUnknown]: () => undefined,
};

const nodesOnly = 'subject organization is not system:nodes';
const nodeNamesOnly = 'subject common name does not begin with system:node:';
const notAllowed = (kind: string): string => `${kind} subjectAltNames are not allowed`;

export function kubeletClientProblem(
  subject: RequestedSubject,
  usages: readonly string[],
): string | undefined {
  if (!isOfNodes(subject)) return nodesOnly;
  if (hasName(subject, 'dns')) return notAllowed('DNS');
  if (hasName(subject, 'email')) return notAllowed('Email');
  if (hasName(subject, 'ip')) return notAllowed('IP');
  if (hasName(subject, 'url')) return notAllowed('URI');
  if (!isNamedNode(subject)) return nodeNamesOnly;
  return usageProblem(usages, 'client auth');
}

function kubeletServingProblem(subject: RequestedSubject, usages: readonly string[]): string | undefined {
  if (!isOfNodes(subject)) return nodesOnly;
  if (!hasName(subject, 'dns') && !hasName(subject, 'ip')) return 'DNS or IP subjectAltName is required';
  if (hasName(subject, 'email')) return notAllowed('Email');
  if (hasName(subject, 'url')) return notAllowed('URI');
  return usageProblem(usages, 'server auth') ?? (isNamedNode(subject) ? undefined : nodeNamesOnly);
}

const isOfNodes = ({ organizations }: RequestedSubject): boolean =>
  organizations.length === 1 && organizations[0] === 'system:nodes';

const isNamedNode = ({ commonName }: RequestedSubject): boolean => commonName.startsWith('system:node:');

const hasName = ({ names }: RequestedSubject, type: string): boolean =>
  names.some((name) => name.type === type);

/** Requires exactly these usages, except that key encipherment is optional for non-RSA keys. */
function usageProblem(usages: readonly string[], purpose: string): string | undefined {
  const wanted = ['digital signature', 'key encipherment', purpose].sort();
  const asked = new Set(usages);
  const isComplete = wanted.every((usage) => asked.has(usage) || usage === 'key encipherment');
  const isExact = isComplete && [...asked].every((usage) => wanted.includes(usage));
  return isExact ? undefined : `usages did not match [${wanted.join(' ')}]`;
}

const clientUsages: ReadonlySet<string> = new Set(['digital signature', 'key encipherment', 'client auth']);

function clientUsageProblem(usages: readonly string[]): string | undefined {
  const wrong = usages.find((usage) => !clientUsages.has(usage));
  if (wrong !== undefined) return `invalid usage for client certificate: ${wrong}`;
  return usages.includes('client auth')
    ? undefined
    : 'missing required usage for client certificate: client auth';
}
