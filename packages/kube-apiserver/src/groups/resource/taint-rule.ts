/** The time of a rule's taint is when its effect began: changing the effect resets it, unless a time is given. */
import { formatTime } from '@coxswain/apimachinery';
import type { ApiRequest } from '@coxswain/apiserver';
import type { DeviceTaintRule } from '@coxswain/api/resource/v1alpha3/index.ts';
import { as, type AnyObject } from '../any-object.ts';

export function restartTaint(object: AnyObject, old: AnyObject, request: ApiRequest): void {
  const { taint } = as<DeviceTaintRule>(object).spec;
  const before = as<DeviceTaintRule>(old).spec.taint;
  if (taint === undefined || taint.effect === before?.effect || taint.timeAdded !== before?.timeAdded) return;
  taint.timeAdded = formatTime(request.receivedAtMs);
}
