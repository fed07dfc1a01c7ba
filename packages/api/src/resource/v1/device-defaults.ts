/** Defaults of device requests and devices that depend on other values or on the time; for all versions. */

import { formatTime } from '@coxswain/apimachinery';

interface Allocation {
  allocationMode?: string;
  count?: number;
}

interface DeviceRequestLike extends Allocation {
  exactly?: Allocation;
  firstAvailable?: Allocation[];
  /** v1beta1 has the exact request's members in the request itself. */
  deviceClassName?: string;
}

interface Taint {
  timeAdded?: string;
}

interface Device {
  taints?: Taint[];
  nodeAllocatableResourceMappings?: Record<string, { allocationMultiplier?: string }>;
}

export function defaultDeviceRequests(requests: readonly DeviceRequestLike[] | undefined): void {
  for (const request of requests ?? []) {
    if (request.deviceClassName) defaultAllocation(request);
    if (request.exactly != null) defaultAllocation(request.exactly);
    for (const alternative of request.firstAvailable ?? []) defaultAllocation(alternative);
  }
}

function defaultAllocation(request: Allocation): void {
  request.allocationMode ||= 'ExactCount';
  if (request.allocationMode === 'ExactCount') request.count ||= 1;
}

export function defaultDevices(
  devices: readonly (Device & { basic?: Device })[] | undefined,
  nowMs: number,
): void {
  for (const device of devices ?? []) {
    defaultDevice(device, nowMs);
    if (device.basic != null) defaultDevice(device.basic, nowMs);
  }
}

export function defaultTaint(taint: Taint | undefined, nowMs: number): void {
  if (taint != null) taint.timeAdded ??= formatTime(nowMs);
}

function defaultDevice(device: Device, nowMs: number): void {
  for (const taint of device.taints ?? []) defaultTaint(taint, nowMs);
  for (const name in device.nodeAllocatableResourceMappings) {
    device.nodeAllocatableResourceMappings[name]!.allocationMultiplier ??= '1';
  }
}
