/** Texts of the cards for trips, stays, parcels and invoices in an email. */

export const departure = 'Departure'
export const arrival = 'Arrival'
export const checkIn = 'Check-in'
export const checkOut = 'Check-out'
export const pickUp = 'Pick-up'
export const dropOff = 'Return'
export const starts = 'Starts'
export const ends = 'Ends'
export const delivery = 'Expected'
export const ordered = 'Ordered'
export const amount = 'Amount'
export const due = 'Due'
export const place = 'Location'
export const number = 'Number'
export const seat = 'Seat'
export const platform = 'Platform or gate'
export const travellers = 'Travellers'
export const items = 'Items'
export const statuses = {
  confirmed: '',
  pending: '',
  cancelled: 'Cancelled',
  paid: 'Paid',
  delivered: 'Delivered',
}
export const zoneAssumed = 'In your time zone. The email names none.'
export const trackParcel = 'Track parcel'
export const addAll = 'Add all'
export const addToCalendar = 'Add to calendar'
export const addToCalendarNamed = (title: string) => `Add to calendar: ${title}`
export const updateCalendar = 'Update calendar'
export const updateCalendarNamed = (title: string) => `Update calendar: ${title}`
export const addTask = 'Add task'
export const addTaskNamed = (title: string) => `Add task: ${title}`
export const updateTask = 'Update task'
export const updateTaskNamed = (title: string) => `Update task: ${title}`
export const inCalendar = 'In your calendar'
export const inTasks = 'In your tasks'
export const showInCalendar = 'Show in calendar'
export const openTask = 'Open task'
export const changed = 'This email changes it.'
export const outdated = 'Out of date. A later email changed it.'
export const calendarUpdated = 'Calendar updated'
export const tasksUpdated = 'Tasks updated'
export const undone = 'Undone'
export const list = 'Reservations in this email'
