export const layout = 'Ansicht'
export const layouts = { list: 'Liste', board: 'Board' }
export const noSection = 'Ohne Abschnitt'
export const moveToSection = (name: string) => `Verschieben nach ${name}`
