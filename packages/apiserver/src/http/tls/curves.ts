/** Key exchanges by the ids that TLS and `--tls-curve-preferences` use. */
const curves: Readonly<Record<number, string>> = {
  4588: 'X25519MLKEM768',
  29: 'X25519',
  23: 'P-256',
  24: 'P-384',
  25: 'P-521',
  4587: 'SecP256r1MLKEM768',
  4589: 'SecP384r1MLKEM1024',
};

/** In the server's order of preference: post-quantum ones first, then the fastest. */
const preferenceOrder = [4588, 4587, 4589, 29, 23, 24, 25];
/** Node 22 and older have an OpenSSL before 3.5, which has no post-quantum key exchanges. */
const [major = 0, minor = 0] = process.versions.openssl.split('.').map(Number);
const curvesDefault = [...(major > 3 || (major === 3 && minor >= 5) ? [4588] : []), 29, 23, 24, 25];

const idMax = 0xff_ff;

/** @throws Error with upstream's message */
export function checkCurves(ids: readonly number[]): void {
  const seen = new Set<number>();
  for (const id of ids) {
    if (id <= 0 || id > idMax) throw new Error(`curve preference ${id} is out of range (must be 1-${idMax})`);
    if (seen.has(id)) throw new Error(`duplicate curve preference ${id}`);
    seen.add(id);
    if (curves[id] === undefined) {
      throw new Error(`curve preference ${id} is not supported by the current Go version`);
    }
  }
}

/** OpenSSL's list; the order of the ids is ignored, as upstream. */
export function openSslCurves(ids: readonly number[]): string {
  const wanted = new Set(ids.length === 0 ? curvesDefault : ids);
  return preferenceOrder
    .filter((id) => wanted.has(id))
    .map((id) => curves[id]!)
    .join(':');
}
