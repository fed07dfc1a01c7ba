/** The log that `--audit-log-path` names. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  logBackend,
  type LineWriter,
  type LogFormat,
} from '@coxswain/apiserver/audit/backends/log-backend.ts';
import type { AuditFlags } from './audit-flags.ts';
import type { AuditRim, BackendMaker } from './audit-rim.ts';
import { logDelivery } from './delivery-flags.ts';
import { delivered } from './delivery.ts';
import { JoinedLines } from './joined-lines.ts';
import { RotatingFile } from './rotating-file.ts';

/** @throws Error when the file cannot be written */
export function logBackendOf(flags: AuditFlags, rim: AuditRim): BackendMaker | undefined {
  if (flags.auditLogPath === '') return undefined;
  const out = writerOf(flags, rim);
  const delivery = logDelivery(flags);
  const format = flags.auditLogFormat as LogFormat;
  return (parts) => {
    const failed = (failure: unknown, lines: string) => parts.lostLines('log', messageOf(failure), lines);
    // A mode that refuses requests whose events cannot be written must know it before the response.
    const writer = delivery.mode === 'blocking' ? new JoinedLines(out, failed) : out;
    return delivered(logBackend(writer, format, parts.lost), delivery, false, parts);
  };
}

function writerOf(flags: AuditFlags, { clock, log, print }: AuditRim): LineWriter {
  if (flags.auditLogPath === '-') return { write: print, flush: () => Promise.resolve() };
  const settings = {
    path: flags.auditLogPath,
    megabytesMax: flags.auditLogMaxsize,
    daysMax: flags.auditLogMaxage,
    backupsMax: flags.auditLogMaxbackup,
    compresses: flags.auditLogCompress,
  };
  try {
    return new RotatingFile(settings, clock, log);
  } catch (failure) {
    const { code, syscall, path, message } = failure as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      EACCES: 'permission denied',
      ENOENT: 'no such file or directory',
      EISDIR: 'is a directory',
      ENOTDIR: 'not a directory',
      EROFS: 'read-only file system',
    };
    throw new Error(`ensureLogFile: ${syscall} ${path}: ${reasons[code ?? ''] ?? message}`, {
      cause: failure,
    });
  }
}
