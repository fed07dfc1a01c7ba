/** Ports of services. */

export interface ServicePort {
  readonly name?: string;
  readonly protocol: string;
  readonly port: number;
  readonly targetPort: number | string;
}

/** @throws Error if it is not a number */
export function readPort(text: string): number {
  if (!/^[-+]?\d+$/.test(text)) throw new Error(`strconv.Atoi: parsing "${text}": invalid syntax`);
  return Number(text);
}

export const readTargetPort = (text: string): number | string =>
  /^[+-]?\d+$/.test(text) ? Number(text) : text;
