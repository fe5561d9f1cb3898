import type { SubmissionTarget } from '../transport.ts'
import type { Correspondent } from './compose.ts'

/** The server and the sender that the operator set for mail of the service itself (`SMTP_URL`, `MAIL_FROM`). */
export interface SystemSender extends SubmissionTarget {
  from: Correspondent
}
