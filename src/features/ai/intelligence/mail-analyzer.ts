import type { AnalysisOptions, MailAnalysis, MailInput } from '../../../engine/mail/analysis.ts'
import type { AnalysisRequest } from '../../../engine/mail/analysis-task.ts'
import { runTask } from '../../../platform/workers/run-task.ts'
import { defineTask } from '../../../platform/workers/task.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'

/** A text full of dates takes 7 ms for each 1,000 characters, on a slow machine; HTML is only looked through. */
const SMALL_TEXT = 4_000
const SMALL_HTML = 32_000
/** The engine looks at no more of either. */
const LONGEST_TEXT = 30_000
const LONGEST_HTML = 512 * 1024

const TASK = defineTask<AnalysisRequest, MailAnalysis>(
  new URL('../../../engine/mail/analysis-task.ts', import.meta.url),
  'analyze',
)

export type AnalyzeMail = (mail: MailInput, options: AnalysisOptions) => Promise<MailAnalysis>

/** Analyses mails by the built-in engine: long ones in a worker thread. The engine is loaded with the first mail. */
export const createMailAnalyzer =
  (workers: WorkerPool): AnalyzeMail =>
  ({ text, html, ...rest }, options) => {
    const mail = {
      ...rest,
      text: text.slice(0, LONGEST_TEXT),
      ...(html !== undefined && { html: html.slice(0, LONGEST_HTML) }),
    }
    const isCheap = text.length <= SMALL_TEXT && (html?.length ?? 0) <= SMALL_HTML
    return runTask(
      workers,
      TASK,
      { mail, options },
      {
        isCheap,
        subject: 'the text',
        code: 'unreadable_message',
      },
    )
  }
