/** The templates of stages: Go templates with kwok's and sprig's functions. */

import { formatTime, type KubeObject } from '@coxswain/apimachinery';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { compileTemplate } from '@coxswain/kubectl/template/execute.ts';
import type { TemplateFunction } from '@coxswain/kubectl/template/functions.ts';
import { sprigFunctions } from './sprig-functions.ts';

export interface TemplateContext {
  readonly nowMs: () => number;
  readonly nodeAddress: (nodeName: string) => string;
  readonly podAddress: (nodeName: string, hostNetwork: boolean, uid: string) => string;
}

/** Renders the template for an object. @throws Error naming the line of the template */
export type StageTemplate = (object: KubeObject) => unknown;

/** @throws TemplateError for an invalid template */
export function stageTemplate(name: string, source: string, surroundings: TemplateContext): StageTemplate {
  const template = compileTemplate(name, source, {
    allowMissingKeys: true,
    functions: functionsOf(surroundings),
  });
  return (object) => {
    const { text, failure } = template.execute(object);
    if (failure !== undefined) throw failure;
    return readYaml(text);
  };
}

function functionsOf({ nowMs, nodeAddress, podAddress }: TemplateContext) {
  const nodeIp = ([name]: readonly unknown[]) => nodeAddress(String(name));
  const podIp = ([node, hostNetwork, uid]: readonly unknown[]) =>
    podAddress(String(node), hostNetwork === true, String(uid));
  const startedAt = formatTime(nowMs());
  const functions: Record<string, TemplateFunction> = {
    Quote: ([value]) => quoted(value),
    Now: () => formatTime(nowMs()),
    StartTime: () => startedAt,
    // JSON is valid YAML; it only has to be indented more than its key.
    YAML: ([value, indent = 0]) => `\n${'  '.repeat(Number(indent))}${JSON.stringify(value)}`,
    Version: () => 'v0.8.0',
    NodeConditions: () => nodeConditions,
    NodeIP: () => nodeAddress(''),
    NodeName: () => 'kwok-controller',
    NodePort: () => 10247,
    NodeIPWith: nodeIp,
    NodeIPsWith: (args) => [nodeIp(args)].filter(Boolean),
    PodIPWith: podIp,
    PodIPsWith: (args) => [podIp(args)].filter(Boolean),
    ...sprigFunctions,
    now: () => formatTime(nowMs()),
  };
  return functions;
}

/** Text is quoted as JSON; other values are the quoted text of their JSON. */
const quoted = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value) : JSON.stringify(JSON.stringify(value ?? null));

const nodeConditions = [
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['NetworkUnavailable', 'False', 'RouteCreated', 'RouteController created a route'],
].map(([type, status, reason, message]) => ({ type, status, reason, message }));
