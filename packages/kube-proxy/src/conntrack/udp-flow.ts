import { canonicalIp } from '@coxswain/apimachinery';

/** Source, destination, and the address that replies, which differs if the destination was rewritten. */
export interface UdpFlow {
  readonly from: string;
  readonly fromPort: number;
  readonly to: string;
  readonly toPort: number;
  readonly answers: string;
  readonly answersPort: number;
}

const addresses = /src=(\S+) dst=(\S+) sport=(\d+) dport=(\d+)/g;

/** Parses a line of `conntrack -L`; returns undefined for lines that are not about UDP. */
export function parseFlow(line: string): UdpFlow | undefined {
  if (!/^(?:ipv[46]\s+\d+\s+)?udp\s/.test(line)) return undefined;
  const [there, back] = [...line.matchAll(addresses)];
  if (there === undefined || back === undefined) return undefined;
  const ip = (text = '') => canonicalIp(text) ?? text;
  return {
    from: ip(there[1]),
    to: ip(there[2]),
    fromPort: Number(there[3]),
    toPort: Number(there[4]),
    answers: ip(back[1]),
    answersPort: Number(back[3]),
  };
}
