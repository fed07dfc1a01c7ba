/** Groups of the Kubernetes project require its approval, which an annotation of the definition states. */
import { goQuote } from '@coxswain/apimachinery';
import { parseRequestUrl, UrlTextError } from '@coxswain/apimachinery/url-text.ts';

export const approvalAnnotation = 'api-approved.kubernetes.io';

export interface GroupApproval {
  readonly state: 'missing' | 'bypassed' | 'approved' | 'invalid';
  readonly message: string;
}

const reference = 'see https://github.com/kubernetes/enhancements/pull/1111';
const must = `protected groups must have approval annotation ${goQuote(approvalAnnotation)}`;

/** Undefined for other groups. */
export function groupApproval(
  group: string,
  annotations: Readonly<Record<string, string>> | null | undefined,
): GroupApproval | undefined {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return undefined;
  const text = annotations?.[approvalAnnotation] ?? '';
  if (text === '') return { state: 'missing', message: `${must}, ${reference}` };
  if (text.startsWith('unapproved')) return { state: 'bypassed', message: `not approved: ${goQuote(text)}` };
  if (isUrlOfHost(text)) return { state: 'approved', message: `approved in ${text}` };
  const message = `${must} with either a URL or a reason starting with "unapproved", ${reference}`;
  return { state: 'invalid', message };
}

function isUrlOfHost(text: string): boolean {
  try {
    const { scheme, host } = parseRequestUrl(text);
    return scheme !== '' && host !== '';
  } catch (error) {
    if (error instanceof UrlTextError) return false;
    throw error;
  }
}
