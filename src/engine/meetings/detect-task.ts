import { type DetectOptions, detectMeetings } from './detect.ts'

export interface DetectRequest {
  text: string
  options: DetectOptions
}

/** As a task for a worker thread, which takes one input. */
export const detect = ({ text, options }: DetectRequest): ReturnType<typeof detectMeetings> =>
  detectMeetings(text, options)
