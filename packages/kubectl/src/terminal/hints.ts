/** Suggests a command that may help after a failure. */
import { StatusError } from '@coxswain/apimachinery';
import { ConfigurationInvalid, ConnectionError, Failures, NoResourceMatch } from '../errors.ts';

/** Without the prefix `hint: `; undefined if there is no suggestion. */
export function hintFor(failure: unknown): string | undefined {
  const error = failure instanceof Failures ? failure.failures[0] : failure;
  if (error instanceof ConnectionError)
    return error.refused
      ? `"kubectl config view --minify" shows which server is asked, "kubectl config get-contexts" which others there are`
      : '"kubectl config view --minify" shows which server is asked';
  if (error instanceof ConfigurationInvalid) return '"kubectl config get-contexts" lists the contexts';
  if (error instanceof NoResourceMatch) return resourcesHint;
  if (error instanceof StatusError) return statusHint(error);
  if (error instanceof Error && error.message.startsWith("the server doesn't have a resource type"))
    return resourcesHint;
  return undefined;
}

const resourcesHint = '"kubectl api-resources" lists the kinds of the server';

function statusHint({ reason, status }: StatusError): string | undefined {
  const { kind = '', name = '', group = '' } = status.details ?? {};
  const resource = group === '' ? kind : `${kind}.${group}`;
  switch (reason) {
    case 'NotFound':
      return kind === 'namespaces'
        ? '"kubectl get namespaces" lists the namespaces'
        : kind === '' || name === ''
          ? undefined
          : `"kubectl get ${resource} -A" lists those of all namespaces`;
    case 'Forbidden':
      return '"kubectl auth can-i --list" lists what you may do, "kubectl auth whoami" says who you are';
    case 'Unauthorized':
      return '"kubectl config view --minify" shows which user of the kubeconfig is shown to the server';
    case 'AlreadyExists':
      return name === ''
        ? undefined
        : `"kubectl diff -f FILE" shows what "kubectl apply -f FILE" would change`;
    case 'Conflict':
      return `"kubectl blame ${resource} ${name}" shows who wrote which field`;
    case 'Invalid':
      return kind === '' ? undefined : `"kubectl explain ${kind.toLowerCase()}" describes the fields`;
    default:
      return undefined;
  }
}
