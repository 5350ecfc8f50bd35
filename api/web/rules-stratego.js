export const stratego = { id: 'stratego', title: { en: 'Stratego', cs: 'Maršál a špión' }, lead: { en: '', cs: '' }, sections: [] }
