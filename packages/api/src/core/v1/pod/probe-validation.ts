/** Validates probes, lifecycle hooks and stop signals. */

import { checkHttpHeaderName, checkPortName, checkPortNumber, type FieldPath } from '@coxswain/apimachinery';
import { check, notNegative, type Errors } from '../../../meta/checks.ts';
import {
  Lifecycle,
  type HTTPGetAction,
  type LifecycleHandler,
  type Probe,
  type ProbeHandler,
} from '../probe.ts';

export interface Probed {
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
}

export function validateProbes(container: Probed, path: FieldPath, errors: Errors): void {
  const { livenessProbe, readinessProbe, startupProbe } = container;
  if (livenessProbe != null) {
    validateProbe(livenessProbe, path.child('livenessProbe'), errors);
    mustSucceedOnce(livenessProbe, path.child('livenessProbe'), errors);
  }
  if (readinessProbe != null) {
    validateProbe(readinessProbe, path.child('readinessProbe'), errors);
    if (readinessProbe.terminationGracePeriodSeconds != null) {
      errors.invalid(
        path.child('readinessProbe', 'terminationGracePeriodSeconds'),
        readinessProbe.terminationGracePeriodSeconds,
        'must not be set for readinessProbes',
      );
    }
  }
  if (startupProbe != null) {
    validateProbe(startupProbe, path.child('startupProbe'), errors);
    mustSucceedOnce(startupProbe, path.child('startupProbe'), errors);
  }
}

function mustSucceedOnce(probe: Probe, path: FieldPath, errors: Errors): void {
  if (probe.successThreshold !== 1) {
    errors.invalid(path.child('successThreshold'), probe.successThreshold ?? 0, 'must be 1');
  }
}

function validateProbe(probe: Probe, path: FieldPath, errors: Errors): void {
  validateHandler(probe, undefined, path, errors);
  notNegative(probe.initialDelaySeconds, path, 'initialDelaySeconds', errors);
  notNegative(probe.timeoutSeconds, path, 'timeoutSeconds', errors);
  notNegative(probe.periodSeconds, path, 'periodSeconds', errors);
  notNegative(probe.successThreshold, path, 'successThreshold', errors);
  notNegative(probe.failureThreshold, path, 'failureThreshold', errors);
  const graceSeconds = probe.terminationGracePeriodSeconds;
  if (graceSeconds != null && graceSeconds <= 0) {
    errors.invalid(path.child('terminationGracePeriodSeconds'), graceSeconds, 'must be greater than 0');
  }
}

type Handler = Partial<ProbeHandler> & Partial<LifecycleHandler>;

/** Only the first of several handlers is validated, the others are refused. */
function validateHandler(
  handler: Handler,
  graceSeconds: number | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  let count = 0;
  for (const name of handlerNames) {
    if (handler[name] == null) continue;
    if (count++ > 0) errors.forbidden(path.child(name), 'may not specify more than 1 handler type');
    else validateAction(name, handler, graceSeconds, path.child(name), errors);
  }
  if (count === 0) errors.required(path, 'must specify a handler type');
}

const handlerNames = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

function validateAction(
  name: (typeof handlerNames)[number],
  handler: Handler,
  graceSeconds: number | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  switch (name) {
    case 'exec':
      if ((handler.exec?.command ?? []).length === 0) errors.required(path.child('command'));
      return;
    case 'httpGet':
      return validateHttpGet(handler.httpGet!, path, errors);
    case 'tcpSocket':
      return validatePort(handler.tcpSocket!.port, path.child('port'), errors);
    case 'grpc':
      return validatePort(handler.grpc!.port, path.child('port'), errors);
    case 'sleep': {
      const { seconds } = handler.sleep!;
      if (graceSeconds !== undefined && (seconds < 0 || seconds > graceSeconds)) {
        errors.invalid(
          path,
          seconds,
          `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`,
        );
      }
    }
  }
}

const schemes = ['HTTP', 'HTTPS'];

function validateHttpGet(action: HTTPGetAction, path: FieldPath, errors: Errors): void {
  if (!action.path) errors.required(path.child('path'));
  validatePort(action.port, path.child('port'), errors);
  if (!schemes.includes(action.scheme ?? '')) {
    errors.notSupported(path.child('scheme'), action.scheme ?? '', schemes);
  }
  for (const header of action.httpHeaders ?? []) {
    check(header.name, path.child('httpHeaders'), checkHttpHeaderName, errors);
  }
}

/** A number, or the name of one of the container's ports. */
export function validatePort(port: number | string | undefined, path: FieldPath, errors: Errors): void {
  if (typeof port === 'string') check(port, path, checkPortName, errors);
  else for (const message of checkPortNumber(port ?? 0)) errors.invalid(path, port ?? 0, message);
}

export function validateLifecycle(
  lifecycle: Lifecycle,
  graceSeconds: number | undefined,
  operatingSystem: string | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  if (lifecycle.postStart != null) {
    validateHandler(lifecycle.postStart, graceSeconds, path.child('postStart'), errors);
  }
  if (lifecycle.preStop != null)
    validateHandler(lifecycle.preStop, graceSeconds, path.child('preStop'), errors);
  if (lifecycle.stopSignal != null) {
    validateStopSignal(lifecycle.stopSignal, operatingSystem, path.child('stopSignal'), errors);
  }
}

const linuxSignals = [
  ...((Lifecycle.fields.stopSignal.type as { values?: readonly string[] }).values ?? []),
].sort();
const windowsSignals = ['SIGKILL', 'SIGTERM'];

function validateStopSignal(
  signal: string,
  operatingSystem: string | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  if (operatingSystem === undefined) {
    errors.forbidden(path, 'may not be set for containers with empty `spec.os.name`');
    return;
  }
  const supported =
    operatingSystem === 'windows' ? windowsSignals : operatingSystem === 'linux' ? linuxSignals : undefined;
  if (supported !== undefined && !supported.includes(signal)) {
    errors.notSupported(path, signal, supported);
  }
}
