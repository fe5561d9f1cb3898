export const insights = 'Insights'
export const about = 'Mail, meetings, tasks and AI cost over time'
export const range = 'Range'
export const ranges = {
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '12m': '12 months',
} as const
export const showAsTable = 'Show as table'
export const noData = 'No data in this period'
export const noDataHelp = 'Choose a longer range.'
export const chartHelp = 'Use the arrow keys to read single values.'
export const total = 'Total'
export const periods = { day: 'Day', week: 'Week from', month: 'Month' } as const
export const noValue = 'none'
export const seriesValue = ({ name, value }: { name: string; value: string }) => `${name}: ${value}`

export const emails = 'Emails'
export const received = 'Received'
export const sent = 'Sent'
export const answered = 'Answered'
export const replyTime = 'Reply time'
export const replyTimeAbout = 'Median time until you reply'
export const median = 'Median'
export const meetings = 'Meetings'
export const meetingsAbout = 'Busy events with a time, without planned work'
export const count = 'Count'
export const meetingTime = 'Time in meetings'
export const duration = 'Duration'
export const tasks = 'Tasks'
export const created = 'Created'
export const completed = 'Completed'
export const aiCost = 'AI cost'
export const cost = 'Cost'
export const unknownPrice = 'The price of some models is unknown.'

export const unitEmails = 'Emails'
export const unitHours = 'Hours'
export const unitMeetings = 'Meetings'
export const unitTasks = 'Tasks'
export const unitDollars = 'US dollars'
