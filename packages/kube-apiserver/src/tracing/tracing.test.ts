import { systemClock } from '@coxswain/apimachinery';
import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { OtlpExporter } from './otlp-exporter.ts';
import { readTracingConfiguration } from './tracing-configuration.ts';

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: TracingConfiguration\n';

test.each([
  [
    'endpoint: localhost:4317\nsamplingRatePerMillion: 100',
    { endpoint: 'http://localhost:4317', samplesPerMillion: 100 },
  ],
  ['', { endpoint: 'http://localhost:4317', samplesPerMillion: undefined }],
  ['endpoint: dns:///collector:1', { endpoint: 'http://collector:1', samplesPerMillion: undefined }],
  ['endpoint: unix:///run/otel.sock', { endpoint: 'unix:///run/otel.sock', samplesPerMillion: undefined }],
])('%j is read', (text, expected) => {
  expect(readTracingConfiguration(head + text)).toEqual(expected);
});

test.each([
  ['samplingRatePerMillion: -1', 'samplingRatePerMillion: Invalid value: -1: sampling rate must be positive'],
  [
    'samplingRatePerMillion: 1000001',
    'samplingRatePerMillion: Invalid value: 1000001: sampling rate per million must be less than or equal to one million',
  ],
  [
    'endpoint: "http://:x"',
    'endpoint: Invalid value: "http://:x": parse "http://:x": invalid port ":x" after host',
  ],
  ['endpoint: https://a:1', 'endpoint: Invalid value: "https://a:1": unsupported scheme: https.'],
])('%j is refused', (text, message) => {
  expect(() => readTracingConfiguration(head + text)).toThrow(
    `failed to validate tracing configuration: ${message}`,
  );
});

/** A collector that records what it receives. */
async function collector() {
  const requests: { path: string; body: Buffer }[] = [];
  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      requests.push({ path: String(headers[':path']), body: Buffer.concat(chunks) });
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(Buffer.from([0, 0, 0, 0, 0]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, requests, close: () => server.close() };
}

test('spans reach a collector by OTLP over gRPC', async () => {
  const { endpoint, requests, close } = await collector();
  const exporter = new OtlpExporter({
    endpoint,
    resource: { 'service.name': 'apiserver' },
    clock: systemClock,
    log: (line) => expect.fail(line),
  });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  exporter.take([
    {
      traceId,
      spanId: 'b7ad6b7169203331',
      parentSpanId: '',
      name: 'GET /api',
      kind: 'server',
      startMs: 1,
      endMs: 2,
      attributes: { 'http.status_code': 200 },
      link: undefined,
      failure: undefined,
    },
  ]);
  await exporter.flush();
  close();
  expect(requests).toHaveLength(1);
  expect(requests[0]!.path).toBe('/opentelemetry.proto.collector.trace.v1.TraceService/Export');
  expect(requests[0]!.body.includes(Buffer.from(traceId, 'hex'))).toBe(true);
  expect(requests[0]!.body.includes('GET /api')).toBe(true);
});
