import { type AnalysisOptions, analyzeMail, type MailAnalysis, type MailInput } from './analysis.ts'

export interface AnalysisRequest {
  mail: MailInput
  options: AnalysisOptions
}

/** Entry point for a worker thread, which passes one argument. */
export const analyze = ({ mail, options }: AnalysisRequest): MailAnalysis => analyzeMail(mail, options)
