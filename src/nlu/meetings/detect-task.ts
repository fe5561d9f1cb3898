import { type DetectOptions, detectMeetings } from './detect.ts'

export interface DetectRequest {
  text: string
  options: DetectOptions
}

/** Entry point for a worker thread, which passes one argument. */
export const detect = ({ text, options }: DetectRequest): ReturnType<typeof detectMeetings> =>
  detectMeetings(text, options)
