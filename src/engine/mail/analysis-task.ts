import { type AnalysisOptions, analyzeMail, type MailAnalysis, type MailInput } from './analysis.ts'

export interface AnalysisRequest {
  mail: MailInput
  options: AnalysisOptions
}

/** As a task for a worker thread, which takes one input. */
export const analyze = ({ mail, options }: AnalysisRequest): MailAnalysis => analyzeMail(mail, options)
